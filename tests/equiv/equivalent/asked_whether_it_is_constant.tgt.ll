define i32 @f(i32 noundef %x, i32 noundef %y) {
  %a = shl i32 %x, 2
  %r = add i32 %a, %y
  ret i32 %r
}
