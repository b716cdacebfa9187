; Counts up to a bound in memory, asked for as "below" in each round.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @unlink(ptr %list, ptr %first) {
entry:
  %bound = getelementptr inbounds i8, ptr %list, i64 16
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %tail ]
  %n = load i32, ptr %bound, align 4, !tbaa !5
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %done

body:
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
  br label %head

done:
  ret void
}

!1 = !{!"root"}
!2 = !{!"char", !1, i64 0}
!3 = !{!"int", !2, i64 0}
!4 = !{!"pointer", !2, i64 0}
!5 = !{!3, !3, i64 0}
!6 = !{!4, !4, i64 0}
