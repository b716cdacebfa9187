; One constant in place of another of the same contents: it lies as it is declared to, whoever names it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%s = type { ptr, i64, i64 }
@init = external global [1 x i8], align 1
@a = private unnamed_addr constant %s { ptr @init, i64 0, i64 0 }, align 8
@b = private unnamed_addr constant %s { ptr @init, i64 0, i64 0 }, align 8
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)
declare void @g(ptr noundef)
define void @f() {
  %p = alloca %s, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 @a, i64 24, i1 false)
  call void @g(ptr noundef %p)
  ret void
}
