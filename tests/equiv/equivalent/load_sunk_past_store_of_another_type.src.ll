; A load, and a store of a type that it cannot read.
define i32 @last(ptr noundef %p, ptr noundef %q) {
  %a = load i32, ptr %p, align 4, !tbaa !4
  store float 5.0, ptr %q, align 4, !tbaa !5
  ret i32 %a
}

!0 = !{!"root"}
!1 = !{!"char", !0, i64 0}
!2 = !{!"int", !1, i64 0}
!3 = !{!"float", !1, i64 0}
!4 = !{!2, !2, i64 0}
!5 = !{!3, !3, i64 0}
