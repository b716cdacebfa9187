; Clears what is new, if anything is.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @clear(ptr noundef %t, i32 noundef %old, i32 noundef %new) {
entry:
  br label %head

head:
  %i = phi i32 [ %old, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %new
  br i1 %more, label %body, label %out

body:
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr %t, i64 %wide
  store i32 16, ptr %p, align 4
  %next = add i32 %i, 1
  br label %head

out:
  ret void
}
