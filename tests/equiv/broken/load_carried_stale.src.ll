; Counts in memory.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @count(ptr noundef %p, i64 noundef %n) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %out

body:
  %a = load i64, ptr %p, align 8
  %b = add i64 %a, 3
  store i64 %b, ptr %p, align 8
  %next = add i64 %i, 1
  br label %head

out:
  ret void
}
