target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define i64 @f(i64 noundef %i) {
  %a = alloca [17 x i64], align 16
  %b = alloca [17 x i64], align 16
  call void @llvm.memset.p0.i64(ptr align 16 %a, i8 0, i64 136, i1 false)
  call void @llvm.memset.p0.i64(ptr align 16 %b, i8 0, i64 136, i1 false)
  %k = and i64 %i, 14
  %p = getelementptr inbounds [17 x i64], ptr %b, i64 0, i64 %k
  %v = load i64, ptr %p, align 8
  %k1 = or i64 %k, 1
  %q = getelementptr inbounds [17 x i64], ptr %b, i64 0, i64 %k1
  %w = load i64, ptr %q, align 8
  %r = add i64 %v, %w
  ret i64 %r
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
