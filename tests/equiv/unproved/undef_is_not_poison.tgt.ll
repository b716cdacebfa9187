define i32 @f(i1 noundef %c, i32 noundef %x) {
entry:
  %y = and i32 %x, 1
  %r = select i1 %c, i32 %y, i32 7
  ret i32 %r
}
