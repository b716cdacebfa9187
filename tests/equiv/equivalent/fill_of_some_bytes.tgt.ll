target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)

define void @f(ptr noundef %p, i32 noundef %bits) {
  %n = shl nuw i32 1, %bits
  %wide = zext i32 %n to i64
  %size = shl nuw nsw i64 %wide, 4
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(1) %p, i8 0, i64 %size, i1 false)
  ret void
}
