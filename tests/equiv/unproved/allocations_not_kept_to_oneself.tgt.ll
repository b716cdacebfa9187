declare noalias ptr @malloc(i64)
declare void @free(ptr)

define dereferenceable(4) ptr @handed_out() {
  unreachable
}

define i8 @freed_once() {
  %p = call noalias ptr @malloc(i64 4)
  call void @free(ptr %p)
  call void @free(ptr %p)
  ret i8 1
}

define i8 @asked_first() {
  %p = call noalias ptr @malloc(i64 1)
  store i8 10, ptr %p
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @as_aligned_as_it_is() {
  %p = call noalias ptr @malloc(i64 4)
  %c = icmp eq ptr %p, null
  br i1 %c, label %none, label %some
none:
  ret i8 10
some:
  store i8 10, ptr %p, align 16
  %v = load i8, ptr %p, align 1
  ret i8 %v
}
