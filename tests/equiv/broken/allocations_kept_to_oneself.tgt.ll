declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)

define i8 @another_value() {
  %p = alloca i32
  store i8 20, ptr %p
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @cannot_succeed() {
  ret i8 1
}

define i8 @not_cleared() {
  ret i8 2
}

define i8 @null_freed() {
  call void @free(ptr null)
  ret i8 2
}
