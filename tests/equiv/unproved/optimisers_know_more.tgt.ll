@one = internal unnamed_addr constant i32 3

define i1 @merged() {
  ret i1 true
}

define void @ordered_twice(ptr %p) {
  store i32 1, ptr %p
  fence seq_cst
  store i32 2, ptr %p
  ret void
}

define i32 @read_twice(ptr %p) {
  %a = load i32, ptr %p, align 4
  %r = add i32 %a, %a
  ret i32 %r
}
