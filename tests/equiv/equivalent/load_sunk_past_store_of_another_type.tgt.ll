; The other way around.
define i32 @last(ptr noundef %p, ptr noundef %q) {
  store float 5.0, ptr %q, align 4, !tbaa !5
  %a = load i32, ptr %p, align 4, !tbaa !4
  ret i32 %a
}

!0 = !{!"root"}
!1 = !{!"char", !0, i64 0}
!2 = !{!"int", !1, i64 0}
!3 = !{!"float", !1, i64 0}
!4 = !{!2, !2, i64 0}
!5 = !{!3, !3, i64 0}
