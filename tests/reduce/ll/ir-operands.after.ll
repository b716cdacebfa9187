define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 0, 7
  %b = select i1 %c, i32 %a, i32 %x
  store i32 %b, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 1, 7
  %b = select i1 %c, i32 %a, i32 %x
  store i32 %b, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 false, i32 %a, i32 %x
  store i32 %b, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 true, i32 %a, i32 %x
  store i32 %b, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 0, i32 %x
  store i32 %b, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 1, i32 %x
  store i32 %b, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 %a, i32 0
  store i32 %b, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 %a, i32 1
  store i32 %b, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 %a, i32 %x
  store i32 0, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 %a, i32 %x
  store i32 1, ptr %p
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 %a, i32 %x
  store i32 %b, ptr null
  ret i32 %b
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 %a, i32 %x
  store i32 %b, ptr %p
  ret i32 0
}
; ----
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 %a, i32 %x
  store i32 %b, ptr %p
  ret i32 1
}
; ----
; all that go together
define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 0, 7
  %b = select i1 false, i32 0, i32 0
  store i32 0, ptr null
  ret i32 0
}
