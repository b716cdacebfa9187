; A volatile store, and a load that may find what it stored.
define i32 @f(ptr noundef %p, ptr noundef %q) {
  store volatile i32 3, ptr %p, align 4
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
