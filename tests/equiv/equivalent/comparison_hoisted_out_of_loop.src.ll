; Bytes from either end, as is asked for.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @pack(ptr noundef %b, i64 noundef %n, i32 noundef %little, i32 noundef %size) {
entry:
  br label %head

head:
  %i = phi i32 [ 1, %entry ], [ %next, %store ]
  %v = phi i64 [ %n, %entry ], [ %rest, %store ]
  %more = icmp slt i32 %i, %size
  br i1 %more, label %body, label %out

body:
  %rest = lshr i64 %v, 8
  %byte = trunc i64 %rest to i8
  %forth = icmp ne i32 %little, 0
  br i1 %forth, label %store, label %back

back:
  %last = sub nsw i32 %size, 1
  %from = sub nsw i32 %last, %i
  br label %store

store:
  %at = phi i32 [ %i, %body ], [ %from, %back ]
  %wide = sext i32 %at to i64
  %p = getelementptr i8, ptr %b, i64 %wide
  store i8 %byte, ptr %p, align 1
  %next = add nsw i32 %i, 1
  br label %head

out:
  ret void
}
