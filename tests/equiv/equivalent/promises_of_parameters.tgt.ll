declare void @one()
declare void @two()
declare nonnull ptr @some()
declare range(i32 0, 10) i32 @digit()
@there = external global i32

define noundef i1 @never_null(ptr noundef nonnull %p) {
  ret i1 false
}

define i32 @load_made_unconditional(i1 noundef %c, ptr noundef align 4 dereferenceable(16) %p) {
  %v = load i32, ptr %p, align 4
  %r = select i1 %c, i32 %v, i32 0
  ret i32 %r
}

define i32 @load_of_what_is_passed_by_value(i1 noundef %c, ptr noundef byval([2 x i32]) align 8 %p) {
  %v = load i32, ptr %p, align 4
  %r = select i1 %c, i32 %v, i32 0
  ret i32 %r
}

define noundef i1 @in_range(i32 noundef range(i32 0, 5) %x) {
  ret i1 false
}

define noundef i64 @aligned(ptr noundef align 16 %p) {
  ret i64 0
}

define i1 @returned_never_null() {
  %p = call nonnull ptr @some()
  ret i1 false
}

define i1 @returned_in_range() {
  %n = call i32 @digit()
  ret i1 false
}

define noundef i1 @functions_lie_apart(i1 noundef %c) {
  ret i1 %c
}

define noundef i1 @there_for_certain(i1 noundef %c) {
  %r = xor i1 %c, true
  ret i1 %r
}
