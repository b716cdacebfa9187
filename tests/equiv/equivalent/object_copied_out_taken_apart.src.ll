; Objects that blocks of memory are copied from, and that structures are stored to and loaded from: the other side stores and
; returns the parts, and leaves what lies between them, or was never stored, as memory has it.
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%pair = type { i32, i64 }

define void @field_by_field(ptr noundef %p, i32 noundef %a, i64 noundef %b) {
  %o = alloca %pair, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr %o)
  store i32 %a, ptr %o, align 8
  call void @seen()
  %q = getelementptr inbounds %pair, ptr %o, i32 0, i32 1
  store i64 %b, ptr %q, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %o, i64 16, i1 false)
  call void @llvm.lifetime.end.p0(i64 16, ptr %o)
  ret void
}

define void @stored_on_one_way(ptr noundef %p, i32 noundef %a, i1 noundef %c) {
  %o = alloca %pair, align 8
  store i32 %a, ptr %o, align 8
  br i1 %c, label %yes, label %no
yes:
  %q = getelementptr inbounds %pair, ptr %o, i32 0, i32 1
  store i64 7, ptr %q, align 8
  br label %no
no:
  call void @seen()
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %o, i64 16, i1 false)
  ret void
}

define { i64, i32 } @result_through_two_objects() {
  %o = alloca { i64, i32 }, align 8
  %t = alloca { i64, i32 }, align 8
  %x = call { i64, i32 } @give()
  store { i64, i32 } %x, ptr %t, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %o, ptr align 8 %t, i64 12, i1 false)
  call void @seen()
  %r = load { i64, i32 }, ptr %o, align 8
  ret { i64, i32 } %r
}

declare void @seen()
declare { i64, i32 } @give()
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
