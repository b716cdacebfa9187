; Greater with sign: where the top bit of one is set it is the other.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @llvm.smax.i32(i32, i32)

define void @clear(ptr noundef %t, i32 noundef %old, i32 noundef %new) {
entry:
  %start = zext i32 %old to i64
  %end = call i32 @llvm.smax.i32(i32 %old, i32 %new)
  %count = zext i32 %end to i64
  br label %head

head:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %more = icmp ne i64 %i, %count
  br i1 %more, label %body, label %out

body:
  %p = getelementptr i32, ptr %t, i64 %i
  store i32 16, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  br label %head

out:
  ret void
}
