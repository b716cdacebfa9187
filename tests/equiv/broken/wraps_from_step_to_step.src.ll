; Without a promise a difference that leaves its width is a number like others.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @steps(i32 noundef %n, i32 noundef %b, i32 noundef %s) {
entry:
  br label %head

head:
  %r = phi i32 [ %s, %entry ], [ %next, %body ]
  %i = phi i32 [ %n, %entry ], [ %less, %body ]
  %done = icmp eq i32 %i, 0
  br i1 %done, label %out, label %body

body:
  %d = sub i32 %r, %b
  %negative = icmp slt i32 %d, 0
  %m = sub i32 %b, %r
  %next = select i1 %negative, i32 %m, i32 %d
  %less = add i32 %i, -1
  br label %head

out:
  ret i32 %r
}
