define i32 @look(ptr noundef %p) noinline {
  %v = load i32, ptr %p
  %r = and i32 %v, 15
  ret i32 %r
}
define i32 @f(ptr noundef %p, ptr noundef %q) {
  %a = load i32, ptr %q
  %r = call i32 @look(ptr noundef %p)
  %b = load i32, ptr %q
  %d = sub i32 %b, %a
  %s = add i32 %d, %r
  ret i32 %s
}
