define i32 @f(i32 %x, ptr %p) {
  %a = add nsw i32 %x, 1
  %b = load i64, ptr %p, align 8
  %c = trunc i64 %b to i32
  store i32 %a, ptr %p, align 4
  ret i32 0
}
; ----
define i32 @f(i32 %x, ptr %p) {
  %a = add nsw i32 %x, 1
  %b = load i64, ptr %p, align 8
  %c = trunc i64 %b to i32
  %d = mul i32 %a, %c
  ret i32 %d
}
; ----
define i32 @f(i32 %x, ptr %p) {
  %a = add nsw i32 %x, 1
  %b = load i64, ptr %p, align 8
  store i32 %a, ptr %p, align 4
  %d = mul i32 %a, 0
  ret i32 %d
}
; ----
define i32 @f(i32 %x, ptr %p) {
  %a = add nsw i32 %x, 1
  %c = trunc i64 0 to i32
  store i32 %a, ptr %p, align 4
  %d = mul i32 %a, %c
  ret i32 %d
}
; ----
define i32 @f(i32 %x, ptr %p) {
  %b = load i64, ptr %p, align 8
  %c = trunc i64 %b to i32
  store i32 0, ptr %p, align 4
  %d = mul i32 0, %c
  ret i32 %d
}
; ----
; all that go together
define i32 @f(i32 %x, ptr %p) {
  ret i32 0
}
