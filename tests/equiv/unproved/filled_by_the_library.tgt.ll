; All at once: a difference in what is followed, and none in what is done.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @clear(ptr noundef %p, i64 noundef %k) {
entry:
  %none = icmp eq i64 1100, 0
  br i1 %none, label %out, label %fill

fill:
  call void @llvm.memset.p0.i64(ptr align 1 %p, i8 0, i64 1100, i1 false)
  br label %out

out:
  ret void
}
