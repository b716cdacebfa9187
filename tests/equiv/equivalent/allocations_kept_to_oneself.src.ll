; What malloc and the like return, where the function keeps it to itself: an object of its own or null.
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare noalias ptr @realloc(ptr, i64)
declare void @free(ptr)

define i8 @on_the_stack(i8 noundef %x) {
  %p = call noalias ptr @calloc(i64 2, i64 1)
  store i8 %x, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  call void @free(ptr %p)
  %v = add i8 %a, %b
  ret i8 %v
}

define i1 @taken_to_succeed() {
  %p = call ptr @malloc(i64 8)
  %i = ptrtoint ptr %p to i64
  %c = icmp eq i64 %i, 0
  ret i1 %c
}

define i8 @kept_apart(ptr noundef %other) {
  %p = call noalias ptr @malloc(i64 1)
  %c = icmp eq ptr %p, null
  br i1 %c, label %none, label %some
none:
  ret i8 0
some:
  store i8 10, ptr %p
  store i8 20, ptr %other
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @allocated_as_new() {
  %p = call noalias ptr @realloc(ptr null, i64 3)
  store i8 5, ptr %p
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @read_when_freed(ptr noundef %p) {
  call void @free(ptr %p)
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @freed_on_the_stack() {
  %p = alloca i32
  call void @free(ptr %p)
  ret i8 1
}
