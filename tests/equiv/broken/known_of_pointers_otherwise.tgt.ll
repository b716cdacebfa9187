@known = constant i32 10
@other = external global ptr
declare i8 @one()
declare i8 @two()

define i32 @compared_with_a_constant(ptr noundef dereferenceable(4) %p) {
  ret i32 11
}

define i8 @one_callee() {
  %r = call i8 @two()
  ret i8 %r
}
