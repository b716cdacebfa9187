; What is promised of the result is promised of the argument.
declare nonnull noundef ptr @pointer(ptr returned)
declare noundef range(i32 0, 8) i32 @number(i32 returned)
define i1 @not_null(ptr %p) {
  %r = call nonnull noundef ptr @pointer(ptr returned %p)
  %c = icmp eq ptr %p, null
  ret i1 %c
}
define i32 @small(i32 %n) {
  %r = call noundef i32 @number(i32 returned %n)
  %m = and i32 %n, 7
  ret i32 %m
}
