@known = constant i32 10
@other = external global ptr
declare i8 @one()
declare i8 @two()

define i32 @compared_with_a_constant(ptr noundef dereferenceable(4) %p) {
  %v = load i32, ptr %p
  %c = icmp eq ptr %p, @known
  %r = select i1 %c, i32 %v, i32 10
  ret i32 %r
}

define i8 @one_callee() {
  %p = load ptr, ptr @other
  %r = call i8 %p(), !callees !0
  ret i8 %r
}

!0 = !{ptr @one}
