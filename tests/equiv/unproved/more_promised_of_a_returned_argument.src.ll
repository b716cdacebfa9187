declare i32 @number(i32 returned)
define i32 @any(i32 %n) {
  %r = call i32 @number(i32 returned %n)
  ret i32 %r
}
