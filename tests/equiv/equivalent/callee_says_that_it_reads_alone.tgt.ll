define range(i32 0, 16) i32 @look(ptr noundef %p) noinline nounwind willreturn memory(read) {
  %v = load i32, ptr %p
  %r = and i32 %v, 15
  ret i32 %r
}
define range(i32 0, 16) i32 @f(ptr noundef %p, ptr noundef %q) {
  %r = call i32 @look(ptr noundef %p)
  ret i32 %r
}
