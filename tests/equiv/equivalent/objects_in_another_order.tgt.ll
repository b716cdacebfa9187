target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 noundef %x) {
  %b = alloca i32, align 4
  %a = alloca i32, align 4
  store i32 %x, ptr %a, align 4
  call void @first(ptr %a)
  store i32 7, ptr %b, align 4
  call void @second(ptr %b, ptr %a)
  %v = load i32, ptr %b, align 4
  ret i32 %v
}
declare void @first(ptr)
declare void @second(ptr, ptr)
