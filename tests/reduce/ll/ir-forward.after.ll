define i32 @f(i32 %x, i32 %y) {
  %c = icmp eq i32 %x, %y
  %b = select i1 %c, i32 %x, i32 %y
  ret i32 %b
}
; ----
define i32 @f(i32 %x, i32 %y) {
  %a = add i32 %x, 1
  %c = icmp eq i32 %a, %y
  ret i32 %a
}
; ----
define i32 @f(i32 %x, i32 %y) {
  %a = add i32 %x, 1
  %c = icmp eq i32 %a, %y
  ret i32 %y
}
; ----
; all that go together
define i32 @f(i32 %x, i32 %y) {
  %c = icmp eq i32 %x, %y
  ret i32 %a
}
