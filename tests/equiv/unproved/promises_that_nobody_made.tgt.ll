declare ptr @some()

define i32 @load_behind_the_end(i1 noundef %c, ptr noundef align 4 dereferenceable(3) %p) {
  %v = load i32, ptr %p, align 4
  %r = select i1 %c, i32 %v, i32 0
  ret i32 %r
}

define i1 @returned_null() {
  %p = call ptr @some()
  ret i1 false
}
