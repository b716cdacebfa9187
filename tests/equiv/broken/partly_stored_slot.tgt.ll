define i32 @f(i8 noundef %x) {
entry:
  ret i32 7
}
