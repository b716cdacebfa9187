%pair = type { i64, i64, i64 }
define internal i64 @first(ptr noundef byval(%pair) align 8 %p, i64 noundef %k) {
  %a = load i64, ptr %p
  store i64 %k, ptr %p
  %b = load i64, ptr %p
  %r = add i64 %a, %b
  ret i64 %r
}
define i64 @f(ptr noundef %q, i64 noundef %k) {
  %x = call i64 @first(ptr noundef byval(%pair) align 8 %q, i64 noundef %k)
  %y = load i64, ptr %q
  %r = add i64 %x, %y
  ret i64 %r
}
