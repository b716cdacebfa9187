target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i64 @llvm.x86.pclmulqdq(i64, i64, i8)
declare <8 x i32> @llvm.x86.sse2.cvtps2dq(<4 x float>)
declare <4 x i32> @llvm.x86.aesni.aesenc(<4 x i32>, <2 x i32>)

define i64 @product(i64 %a, i64 %b) {
  %p = call i64 @llvm.x86.pclmulqdq(i64 %a, i64 %b, i8 17)
  ret i64 %p
}

define i32 @nearest(ptr %x) {
  %v = load <4 x float>, ptr %x, align 16
  %n = call <8 x i32> @llvm.x86.sse2.cvtps2dq(<4 x float> %v)
  %first = extractelement <8 x i32> %n, i64 7
  ret i32 %first
}

define i32 @cipher(ptr %x) {
  %v = load <4 x i32>, ptr %x, align 16
  %k = load <2 x i32>, ptr %x, align 16
  %n = call <4 x i32> @llvm.x86.aesni.aesenc(<4 x i32> %v, <2 x i32> %k)
  %first = extractelement <4 x i32> %n, i64 3
  ret i32 %first
}
