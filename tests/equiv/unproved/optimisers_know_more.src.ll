; What an optimiser may know and is not followed: no difference here speaks against the target.
@one = internal unnamed_addr constant i32 3
@other = internal unnamed_addr constant i32 3

define i1 @merged() {
  %c = icmp eq ptr @one, @other
  ret i1 %c
}

define void @ordered_twice(ptr %p) {
  store i32 1, ptr %p
  fence seq_cst
  fence seq_cst
  store i32 2, ptr %p
  ret void
}

define i32 @read_twice(ptr %p) {
  %a = load atomic i32, ptr %p unordered, align 4
  %b = load i32, ptr %p, align 4
  %r = add i32 %a, %b
  ret i32 %r
}
