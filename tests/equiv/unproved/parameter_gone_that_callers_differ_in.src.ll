define internal i32 @scaled(i32 noundef %unused, i32 noundef %x, i32 noundef %by) {
  %r = mul i32 %x, %by
  ret i32 %r
}
define i32 @a(i32 noundef %x, i32 noundef %y) {
  %r = call i32 @scaled(i32 noundef %y, i32 noundef %x, i32 noundef 4)
  ret i32 %r
}
define i32 @b(i32 noundef %x) {
  %r = call i32 @scaled(i32 noundef 1, i32 noundef %x, i32 noundef 5)
  ret i32 %r
}
