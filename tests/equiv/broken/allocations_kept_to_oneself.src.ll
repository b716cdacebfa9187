; As in the pair of the same name that is right, with targets that take more for given.
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)

define i8 @another_value() {
  %p = call noalias ptr @malloc(i64 4)
  %c = icmp eq ptr %p, null
  br i1 %c, label %none, label %some
none:
  ret i8 0
some:
  store i8 10, ptr %p
  %v = load i8, ptr %p
  call void @free(ptr %p)
  ret i8 %v
}

define i8 @cannot_succeed() {
  %p = call noalias ptr @calloc(i64 555555555555555, i64 40000000)
  %c = icmp eq ptr %p, null
  %v = select i1 %c, i8 0, i8 1
  ret i8 %v
}

define i8 @not_cleared() {
  %p = call noalias ptr @calloc(i64 1, i64 1)
  %c = icmp eq ptr %p, null
  br i1 %c, label %none, label %some
none:
  ret i8 1
some:
  %v = load i8, ptr %p
  call void @free(ptr %p)
  %w = add i8 %v, 1
  ret i8 %w
}

define i8 @null_freed() {
  call void @free(ptr null)
  ret i8 1
}
