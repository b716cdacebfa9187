declare nonnull noundef ptr @pointer(ptr returned)
declare noundef range(i32 0, 8) i32 @number(i32 returned)
define i1 @not_null(ptr %p) {
  %r = call nonnull noundef ptr @pointer(ptr returned %p)
  ret i1 false
}
define i32 @small(i32 %n) {
  %r = call noundef i32 @number(i32 returned %n)
  ret i32 %n
}
