define i32 @f(i32 %x, ptr %p, i1 %c) {
  %a = add i32 %x, 7
  %b = select i1 %c, i32 %a, i32 %x
  store i32 %b, ptr %p
  ret i32 %b
}
