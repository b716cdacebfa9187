; The character is loaded where the pointer steps, and goes round beside it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @skip(ptr noundef %s) {
entry:
  %first = load i8, ptr %s, align 1
  br label %loop

loop:
  %c = phi i8 [ %first, %entry ], [ %then, %body ]
  %p = phi ptr [ %s, %entry ], [ %next, %body ]
  %space = icmp eq i8 %c, 32
  br i1 %space, label %body, label %out

body:
  %next = getelementptr inbounds i8, ptr %p, i64 1
  %then = load i8, ptr %next, align 1
  br label %loop

out:
  %r = zext i8 %c to i32
  ret i32 %r
}
