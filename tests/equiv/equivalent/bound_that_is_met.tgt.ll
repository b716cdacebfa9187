; The bound is read once, and the loop ends where it is met.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @unlink(ptr %list, ptr %first) {
entry:
  %bound = getelementptr inbounds i8, ptr %list, i64 16
  %n = load i32, ptr %bound, align 4, !tbaa !5
  %empty = icmp eq i32 %n, 0
  br i1 %empty, label %done, label %body

body:
  %i = phi i32 [ %next, %tail ], [ 0, %entry ]
  %at = zext i32 %i to i64
  %cell = getelementptr inbounds ptr, ptr %first, i64 %at
  %old = load ptr, ptr %cell, align 8, !tbaa !6
  %none = icmp eq ptr %old, null
  br i1 %none, label %tail, label %clear

clear:
  store ptr null, ptr %cell, align 8, !tbaa !6
  br label %tail

tail:
  %next = add nuw i32 %i, 1
  %met = icmp eq i32 %next, %n
  br i1 %met, label %done, label %body

done:
  ret void
}

!1 = !{!"root"}
!2 = !{!"char", !1, i64 0}
!3 = !{!"int", !2, i64 0}
!4 = !{!"pointer", !2, i64 0}
!5 = !{!3, !3, i64 0}
!6 = !{!4, !4, i64 0}
