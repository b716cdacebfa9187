define i64 @f(i64 %i64, i32 %x) {
  %a = add i64 %i64, 1
  %b = zext i32 %x to i64
  %c = add i64 %a, %b
  ret i64 %c
}
