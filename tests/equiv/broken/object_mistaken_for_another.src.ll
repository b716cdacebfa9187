target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(i32 noundef %x) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %x, ptr %a, align 4
  store i32 7, ptr %b, align 4
  call void @first(ptr %a)
  call void @first(ptr %b)
  call void @second(ptr %a, ptr %b)
  ret void
}
declare void @first(ptr)
declare void @second(ptr, ptr)
