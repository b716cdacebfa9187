define internal fastcc void @noted(ptr noundef %p) noinline {
  store i32 1, ptr %p
  ret void
}
define i32 @f(ptr noundef %p, i32 noundef %x) {
  call fastcc void @noted(ptr noundef %p)
  ret i32 %x
}
