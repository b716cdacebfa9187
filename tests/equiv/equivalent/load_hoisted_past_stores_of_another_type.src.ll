; Each round loads a number and stores one of a type that the load cannot read.
define i32 @sum(ptr noundef %p, ptr noundef %q, i32 noundef %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %s = phi i32 [ 0, %entry ], [ %sum, %round ]
  %field = getelementptr i8, ptr %p, i64 8
  %a = load i32, ptr %field, align 4, !tbaa !4
  %sum = add i32 %s, %a
  store float 5.0, ptr %q, align 4, !tbaa !5
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %done

done:
  ret i32 %sum
}

!0 = !{!"root"}
!1 = !{!"char", !0, i64 0}
!2 = !{!"int", !1, i64 0}
!3 = !{!"float", !1, i64 0}
!4 = !{!2, !2, i64 0}
!5 = !{!3, !3, i64 0}
