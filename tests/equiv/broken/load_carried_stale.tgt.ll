; What goes round the loop is what memory held before the last store.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @count(ptr noundef %p, i64 noundef %n) {
entry:
  %any = icmp ne i64 %n, 0
  br i1 %any, label %first, label %out

first:
  %v = load i64, ptr %p, align 8
  br label %body

body:
  %i = phi i64 [ 0, %first ], [ %next, %body ]
  %a = phi i64 [ %v, %first ], [ %a, %body ]
  %b = add i64 %a, 3
  store i64 %b, ptr %p, align 8
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %out

out:
  ret void
}
