; What is known of allocations does not excuse these.
define i8 @freed_once() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  call void @free(ptr %p)
  ret i8 1
}

define i8 @another_number() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  ret i8 1
}

define i8 @cleared() {
  %p = call ptr @calloc(i64 1, i64 1)
  %n = ptrtoint ptr %p to i64
  %none = icmp eq i64 %n, 0
  br i1 %none, label %fails, label %given

fails:
  ret i8 1

given:
  %v = load i8, ptr %p
  ret i8 %v
}

define ptr @too_large() {
  ret ptr undef
}

declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
