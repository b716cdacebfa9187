; A store, and a volatile load that may find what it stored.
define i32 @f(ptr noundef %p, ptr noundef %q) {
  store i32 3, ptr %q, align 4
  %v = load volatile i32, ptr %p, align 4
  ret i32 %v
}
