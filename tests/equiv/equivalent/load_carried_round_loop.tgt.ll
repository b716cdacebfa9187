; The place is read once; what it holds goes round the loop.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define ptr @last(ptr noundef %t) {
entry:
  %p = getelementptr inbounds i8, ptr %t, i64 32
  %first = load ptr, ptr %p, align 8
  %q = getelementptr inbounds i8, ptr %t, i64 24
  %b = load ptr, ptr %q, align 8
  br label %loop

loop:
  %a = phi ptr [ %first, %entry ], [ %back, %body ]
  %more = icmp ugt ptr %a, %b
  br i1 %more, label %body, label %out

body:
  %back = getelementptr i8, ptr %a, i64 -24
  store ptr %back, ptr %p, align 8
  %mark = load i8, ptr %back, align 1
  %free = icmp eq i8 %mark, 0
  br i1 %free, label %out, label %loop

out:
  %r = phi ptr [ null, %loop ], [ %back, %body ]
  ret ptr %r
}
