target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @use(ptr noundef, i32 noundef)

define void @each(ptr noundef %p, i32 noundef %a, i64 noundef %n) {
entry:
  %f = getelementptr inbounds i8, ptr %p, i64 144
  %b = add nsw i32 %a, 100
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %out

body:
  call void @use(ptr noundef %f, i32 noundef %b)
  %next = add i64 %i, 1
  br label %head

out:
  ret void
}
