; An object that a block of memory is copied into, and that is read in parts: the other side loads those parts.
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @two_fields(ptr noundef %p, i1 noundef %c) {
  %o = alloca { i64, i32 }, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr %o)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %o, ptr align 8 %p, i64 12, i1 false)
  br i1 %c, label %yes, label %no
yes:
  call void @seen()
  br label %no
no:
  %x = load i64, ptr %o, align 8
  %q = getelementptr inbounds { i64, i32 }, ptr %o, i32 0, i32 1
  %y = load i32, ptr %q, align 8
  call void @take(i64 noundef %x, i32 noundef %y)
  call void @llvm.lifetime.end.p0(i64 16, ptr %o)
  ret void
}

define i32 @cleared_and_stored(i32 noundef %x) {
  %o = alloca [4 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %o, i8 0, i64 16, i1 false)
  %q = getelementptr inbounds [4 x i32], ptr %o, i64 0, i64 2
  store i32 %x, ptr %q, align 4
  call void @seen()
  %a = load i32, ptr %o, align 4
  %b = load i32, ptr %q, align 4
  %r = add i32 %a, %b
  ret i32 %r
}

declare void @seen()
declare void @take(i64, i32)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
