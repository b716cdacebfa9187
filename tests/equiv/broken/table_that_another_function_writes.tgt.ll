target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@powers = internal global [4 x i32] [i32 1, i32 10, i32 100, i32 1000], align 16
@letters = internal global [17 x i8] c"0123456789abcdef\00", align 16

@lent = global ptr @letters
@lent_too = global ptr @powers

define void @digits(ptr noundef %to, ptr noundef %from) {
  %x = load i8, ptr %from, align 1
  %high = lshr i8 %x, 4
  %i = zext i8 %high to i64
  %at = getelementptr inbounds [17 x i8], ptr @letters, i64 0, i64 %i
  %digit = load i8, ptr %at, align 1
  store i8 48, ptr %to, align 1
  %next = getelementptr inbounds i8, ptr %to, i64 1
  store i8 %digit, ptr %next, align 1
  ret void
}

define i32 @hundred(ptr noundef %to) {
  store i32 7, ptr %to, align 4
  ret i32 100
}
