; What attributes promise of parameters and results, and what is known of addresses: optimisers rely on it.
declare void @one()
declare void @two()
declare nonnull ptr @some()
declare range(i32 0, 10) i32 @digit()
@there = external global i32

define noundef i1 @never_null(ptr noundef nonnull %p) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}

define i32 @load_made_unconditional(i1 noundef %c, ptr noundef align 4 dereferenceable(16) %p) {
  br i1 %c, label %yes, label %no
yes:
  %v = load i32, ptr %p, align 4
  ret i32 %v
no:
  ret i32 0
}

define i32 @load_of_what_is_passed_by_value(i1 noundef %c, ptr noundef byval([2 x i32]) align 8 %p) {
  br i1 %c, label %yes, label %no
yes:
  %v = load i32, ptr %p, align 4
  ret i32 %v
no:
  ret i32 0
}

define noundef i1 @in_range(i32 noundef range(i32 0, 5) %x) {
  %r = icmp slt i32 %x, 0
  ret i1 %r
}

define noundef i64 @aligned(ptr noundef align 16 %p) {
  %n = ptrtoint ptr %p to i64
  %low = and i64 %n, 15
  ret i64 %low
}

define i1 @returned_never_null() {
  %p = call nonnull ptr @some()
  %r = icmp eq ptr %p, null
  ret i1 %r
}

define i1 @returned_in_range() {
  %n = call i32 @digit()
  %r = icmp ugt i32 %n, 9
  ret i1 %r
}

define noundef i1 @functions_lie_apart(i1 noundef %c) {
  %f = select i1 %c, ptr @one, ptr @two
  %r = icmp eq ptr %f, @one
  ret i1 %r
}

define noundef i1 @there_for_certain(i1 noundef %c) {
  %p = select i1 %c, ptr @there, ptr null
  %r = icmp eq ptr %p, null
  ret i1 %r
}
