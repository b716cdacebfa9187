; The address of the second part is made once. What calls leave in an object of the function's own.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @fill(ptr noundef)

declare i32 @more(i32 noundef)

define void @each() {
entry:
  %o = alloca { i32, i32 }, align 8
  %p = getelementptr inbounds { i32, i32 }, ptr %o, i64 0, i32 1
  br label %head

head:
  call void @fill(ptr noundef %o)
  %v = load i32, ptr %p, align 4
  %r = call i32 @more(i32 noundef %v)
  %go = icmp ne i32 %r, 0
  br i1 %go, label %head, label %out

out:
  ret void
}
