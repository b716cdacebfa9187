define internal i32 @low(i32 noundef %x, ptr noundef %p) {
  %r = and i32 %x, 255
  ret i32 %r
}
define i32 @f(i32 noundef %x, ptr noundef %p) {
  %r = call i32 @low(i32 noundef %x, ptr noundef %p)
  ret i32 %r
}
