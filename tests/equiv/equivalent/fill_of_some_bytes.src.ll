; A block of a length that is not known is filled, and it is not empty: there is something where it begins.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)

define void @f(ptr noundef %p, i32 noundef %bits) {
  %n = shl i32 1, %bits
  %wide = zext i32 %n to i64
  %size = mul i64 16, %wide
  call void @llvm.memset.p0.i64(ptr align 8 %p, i8 0, i64 %size, i1 false)
  ret void
}
