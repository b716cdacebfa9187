define internal i32 @noted(ptr noundef %p) noinline {
  store i32 1, ptr %p
  ret i32 0
}
define i32 @f(ptr noundef %p, i32 noundef %x) {
  %r = call i32 @noted(ptr noundef %p)
  %s = add i32 %r, %x
  ret i32 %s
}
