; That an allocation may fail does not make its source undefined; what is used when freed is not left out of the target.
declare noalias ptr @malloc(i64)
declare void @free(ptr)

define dereferenceable(4) ptr @handed_out() {
  %p = call ptr @malloc(i64 4)
  ret ptr %p
}

define i8 @freed_once() {
  %p = call noalias ptr @malloc(i64 4)
  call void @free(ptr %p)
  ret i8 1
}

define i8 @asked_first() {
  %p = call noalias ptr @malloc(i64 1)
  %c = icmp eq ptr %p, null
  br i1 %c, label %none, label %some
none:
  ret i8 10
some:
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
  store i8 10, ptr %p, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}
