define i32 @one() {
  ret i32 1
}
define i32 @calls() {
  %r = call i32 @one()
  ret i32 %r
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"SemanticInterposition", i32 1}
