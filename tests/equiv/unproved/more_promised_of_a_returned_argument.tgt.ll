declare i32 @number(i32 returned)
define i32 @any(i32 %n) {
  %r = call noundef range(i32 0, 8) i32 @number(i32 returned %n)
  ret i32 %n
}
