define internal fastcc i32 @scaled(i32 noundef %x) {
  %r = shl i32 %x, 2
  ret i32 %r
}
define i32 @a(i32 noundef %x, i32 noundef %y) {
  %r = tail call fastcc i32 @scaled(i32 noundef %x)
  ret i32 %r
}
define i32 @b(i32 noundef %x) {
  %r = tail call fastcc i32 @scaled(i32 noundef %x)
  ret i32 %r
}
