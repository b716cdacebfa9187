; The character at a pointer, looked at when the loop begins and when it ends.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @skip(ptr noundef %s) {
entry:
  br label %head

head:
  %p = phi ptr [ %s, %entry ], [ %next, %body ]
  %c = load i8, ptr %p, align 1
  %space = icmp eq i8 %c, 32
  br i1 %space, label %body, label %out

body:
  %next = getelementptr inbounds i8, ptr %p, i64 1
  br label %head

out:
  %d = load i8, ptr %p, align 1
  %r = zext i8 %d to i32
  ret i32 %r
}
