@a = global i32 1
@b = global i32 2
define internal i32 @get(ptr noundef nonnull %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @f(i1 noundef %c) {
  %p = select i1 %c, ptr @a, ptr @b
  %v = call i32 @get(ptr noundef %p)
  ret i32 %v
}
