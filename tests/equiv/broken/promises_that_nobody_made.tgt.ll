declare extern_weak void @one()
@there = extern_weak global i32

define noundef i1 @may_be_null(ptr noundef nonnull %q, ptr noundef %p) {
  ret i1 false
}

define i32 @load_made_unconditional(i1 noundef %c, ptr noundef align 4 dereferenceable_or_null(16) %p) {
  %v = load i32, ptr %p, align 4
  %r = select i1 %c, i32 %v, i32 0
  ret i32 %r
}

define noundef i1 @out_of_range(i32 noundef range(i32 0, 6) %x) {
  ret i1 false
}

define noundef i64 @less_aligned(ptr noundef align 8 %p) {
  ret i64 0
}

define noundef i1 @not_there(i1 noundef %c) {
  %r = xor i1 %c, true
  ret i1 %r
}

define noundef i1 @function_not_there() {
  ret i1 false
}
