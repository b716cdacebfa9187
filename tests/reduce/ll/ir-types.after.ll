define i64 @f(i64 %i64, i1 %x) {
  %a = add i64 %i64, 1
  %b = zext i1 %x to i64
  %c = add i64 %a, %b
  ret i64 %c
}
; ----
define i64 @f(i64 %i64, i8 %x) {
  %a = add i64 %i64, 1
  %b = zext i8 %x to i64
  %c = add i64 %a, %b
  ret i64 %c
}
; ----
define i64 @f(i64 %i64, i16 %x) {
  %a = add i64 %i64, 1
  %b = zext i16 %x to i64
  %c = add i64 %a, %b
  ret i64 %c
}
; ----
define i1 @f(i1 %i64, i32 %x) {
  %a = add i1 %i64, 1
  %b = zext i32 %x to i1
  %c = add i1 %a, %b
  ret i1 %c
}
; ----
define i8 @f(i8 %i64, i32 %x) {
  %a = add i8 %i64, 1
  %b = zext i32 %x to i8
  %c = add i8 %a, %b
  ret i8 %c
}
; ----
define i16 @f(i16 %i64, i32 %x) {
  %a = add i16 %i64, 1
  %b = zext i32 %x to i16
  %c = add i16 %a, %b
  ret i16 %c
}
; ----
define i32 @f(i32 %i64, i32 %x) {
  %a = add i32 %i64, 1
  %b = zext i32 %x to i32
  %c = add i32 %a, %b
  ret i32 %c
}
; ----
; all that go together
define i1 @f(i1 %i64, i1 %x) {
  %a = add i1 %i64, 1
  %b = zext i1 %x to i1
  %c = add i1 %a, %b
  ret i1 %c
}
