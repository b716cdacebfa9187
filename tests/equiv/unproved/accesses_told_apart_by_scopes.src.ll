define i32 @f(ptr %p, ptr %q) {
 store i32 1, ptr %p, !alias.scope !0, !noalias !1
 store i32 2, ptr %q, !alias.scope !1, !noalias !0
 %v = load i32, ptr %p, !alias.scope !0, !noalias !1
 ret i32 %v
}
!0 = !{!2}
!1 = !{!3}
!2 = !{!2, !4}
!3 = !{!3, !4}
!4 = !{!4}

