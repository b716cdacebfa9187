target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@text = internal constant [16 x i8] c"0123456789abcdef", align 16
define void @f(ptr noundef %p) {
  %a = load i64, ptr @text, align 8
  store i64 %a, ptr %p, align 1
  %g = getelementptr i8, ptr @text, i64 8
  %q = getelementptr i8, ptr %p, i64 8
  %b = load i64, ptr %g, align 8
  store i64 %b, ptr %q, align 1
  ret void
}
