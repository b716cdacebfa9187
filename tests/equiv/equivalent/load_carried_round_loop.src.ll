; Takes steps back while the mark says so, each read of the place anew.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define ptr @last(ptr noundef %t) {
entry:
  br label %head

head:
  %p = getelementptr inbounds i8, ptr %t, i64 32
  %a = load ptr, ptr %p, align 8
  %q = getelementptr inbounds i8, ptr %t, i64 24
  %b = load ptr, ptr %q, align 8
  %more = icmp ugt ptr %a, %b
  br i1 %more, label %body, label %none

body:
  %c = getelementptr inbounds i8, ptr %t, i64 32
  %d = load ptr, ptr %c, align 8
  %back = getelementptr i8, ptr %d, i64 -24
  store ptr %back, ptr %c, align 8
  %again = load ptr, ptr %c, align 8
  %mark = load i8, ptr %again, align 1
  %free = icmp eq i8 %mark, 0
  br i1 %free, label %found, label %head

found:
  %e = load ptr, ptr %c, align 8
  br label %out

none:
  br label %out

out:
  %r = phi ptr [ null, %none ], [ %e, %found ]
  ret ptr %r
}
