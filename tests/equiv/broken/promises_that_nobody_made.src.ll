declare extern_weak void @one()
@there = extern_weak global i32

define noundef i1 @may_be_null(ptr noundef nonnull %q, ptr noundef %p) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}

define i32 @load_made_unconditional(i1 noundef %c, ptr noundef align 4 dereferenceable_or_null(16) %p) {
  br i1 %c, label %yes, label %no
yes:
  %v = load i32, ptr %p, align 4
  ret i32 %v
no:
  ret i32 0
}

define noundef i1 @out_of_range(i32 noundef range(i32 0, 6) %x) {
  %r = icmp eq i32 %x, 5
  ret i1 %r
}

define noundef i64 @less_aligned(ptr noundef align 8 %p) {
  %n = ptrtoint ptr %p to i64
  %low = and i64 %n, 15
  ret i64 %low
}

define noundef i1 @not_there(i1 noundef %c) {
  %p = select i1 %c, ptr @there, ptr null
  %r = icmp eq ptr %p, null
  ret i1 %r
}

define noundef i1 @function_not_there() {
  %r = icmp eq ptr @one, null
  ret i1 %r
}
