define i32 @f(i32 noundef %x, ptr %unused, i32 %y) {
  %r = add i32 %x, %y
  ret i32 %r
}

define i32 @g(ptr %p) {
  %a = call i32 @f(i32 1, ptr null, i32 2)
  %b = call i32 @f(i32 %a, ptr %p, i32 3)
  ret i32 %b
}
