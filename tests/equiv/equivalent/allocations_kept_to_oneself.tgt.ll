declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare noalias ptr @realloc(ptr, i64)
declare void @free(ptr)

define i8 @on_the_stack(i8 noundef %x) {
  ret i8 %x
}

define i1 @taken_to_succeed() {
  ret i1 false
}

define i8 @kept_apart(ptr noundef %other) {
  %p = call noalias ptr @malloc(i64 1)
  %c = icmp eq ptr %p, null
  br i1 %c, label %none, label %some
none:
  ret i8 0
some:
  store i8 20, ptr %other
  ret i8 10
}

define i8 @allocated_as_new() {
  %p = call noalias ptr @malloc(i64 3)
  store i8 5, ptr %p
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @read_when_freed(ptr noundef %p) {
  ret i8 7
}

define i8 @freed_on_the_stack() {
  ret i8 2
}
