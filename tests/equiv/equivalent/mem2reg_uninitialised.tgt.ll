define i32 @f(i1 noundef %c, i32 noundef %x) {
entry:
  ret i32 %x
}
