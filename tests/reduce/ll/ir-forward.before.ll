define i32 @f(i32 %x, i32 %y) {
  %a = add i32 %x, 1
  %c = icmp eq i32 %a, %y
  %b = select i1 %c, i32 %a, i32 %y
  ret i32 %b
}
