; A bound made ahead of two loops, of which one alone reads it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @step(ptr noundef)

define void @each(ptr noundef %t, i32 noundef %k) {
entry:
  %start = load ptr, ptr %t, align 8
  %end = getelementptr inbounds [4 x i8], ptr %start, i32 %k
  br label %first

first:
  %r = call i32 @step(ptr noundef %t)
  %go = icmp ne i32 %r, 0
  br i1 %go, label %first, label %between

between:
  %from = load ptr, ptr %t, align 8
  br label %second

second:
  %p = phi ptr [ %from, %between ], [ %q, %body ]
  %more = icmp ult ptr %p, %end
  br i1 %more, label %body, label %out

body:
  %m = getelementptr inbounds i8, ptr %p, i64 1
  %w = call i32 @step(ptr noundef %m)
  %n = getelementptr inbounds i8, ptr %p, i64 1
  store i8 0, ptr %n, align 1
  %q = getelementptr inbounds [4 x i8], ptr %p, i32 1
  br label %second

out:
  ret void
}
