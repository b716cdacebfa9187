; The other way around.
define i32 @f(ptr noundef %p, ptr noundef %q) {
  %v = load i32, ptr %q, align 4
  store volatile i32 3, ptr %p, align 4
  ret i32 %v
}
