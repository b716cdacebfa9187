define i32 @f(i32 noundef %x, i32 %y) {
  %r = add i32 %x, %y
  ret i32 %r
}

define i32 @g(ptr %p) {
  %a = call i32 @f(i32 1, i32 2)
  %b = call i32 @f(i32 %a, i32 3)
  ret i32 %b
}
; ----
; all that go together
define i32 @f(i32 noundef %x, i32 %y) {
  %r = add i32 %x, %y
  ret i32 %r
}

define i32 @g(ptr %p) {
  %a = call i32 @f(i32 1, i32 2)
  %b = call i32 @f(i32 %a, i32 3)
  ret i32 %b
}
