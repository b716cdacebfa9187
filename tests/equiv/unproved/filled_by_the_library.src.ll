; Clears from the top down.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @clear(ptr noundef %p, i64 noundef %k) {
entry:
  br label %head

head:
  %i = phi i64 [ 1100, %entry ], [ %next, %body ]
  %done = icmp eq i64 %i, 0
  br i1 %done, label %out, label %body

body:
  %next = add i64 %i, -1
  %q = getelementptr i8, ptr %p, i64 %next
  store i8 0, ptr %q, align 1
  br label %head

out:
  ret void
}
