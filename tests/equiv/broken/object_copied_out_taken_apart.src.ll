; A field goes where another belongs, what was copied too early or is left out, and bytes behind the block are written.
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%pair = type { i32, i64 }

define void @field_left_out(ptr noundef %p, i32 noundef %a, i64 noundef %b) {
  %o = alloca %pair, align 8
  store i32 %a, ptr %o, align 8
  call void @seen()
  %q = getelementptr inbounds %pair, ptr %o, i32 0, i32 1
  store i64 %b, ptr %q, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %o, i64 16, i1 false)
  ret void
}

define void @copied_too_early(ptr noundef %p, i32 noundef %a) {
  %o = alloca %pair, align 8
  store i32 %a, ptr %o, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %o, i64 16, i1 false)
  call void @seen()
  ret void
}

define void @behind_the_block(ptr noundef %p, i64 noundef %a, i32 noundef %b) {
  %o = alloca { i64, i32 }, align 8
  store i64 %a, ptr %o, align 8
  %q = getelementptr inbounds { i64, i32 }, ptr %o, i32 0, i32 1
  store i32 %b, ptr %q, align 8
  call void @seen()
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %o, i64 12, i1 false)
  ret void
}

define { i64, i32 } @parts_exchanged() {
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
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
