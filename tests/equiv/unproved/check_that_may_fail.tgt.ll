target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noundef %p, i64 noundef %n) {
  %word = alloca i32, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %word, ptr %p, i64 %n, i1 false)
  call void @use(ptr %word)
  ret void
}
declare void @use(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
