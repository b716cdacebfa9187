; What the object holds where the second call is not made.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare ptr @asked(ptr, ptr)
declare i32 @counted(ptr)
declare i32 @shown(i32)

define i32 @f(ptr %p, i32 %n) nounwind {
entry:
  %length = alloca i32, align 4
  store i32 2, ptr %length, align 4
  %x = call i32 @counted(ptr %p)
  %c = icmp sgt i32 %n, 2
  br i1 %c, label %ask, label %show

ask:
  %y = call ptr @asked(ptr %p, ptr %length)
  %w = load i32, ptr %length, align 4
  br label %show

show:
  %v = phi i32 [ %w, %ask ], [ 2, %entry ]
  %r = call i32 @shown(i32 %v)
  ret i32 %r
}
