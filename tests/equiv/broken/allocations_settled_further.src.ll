; What is known of allocations does not excuse these.
define i8 @freed_once() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  ret i8 1
}

define i8 @another_number() {
  %p = call ptr @malloc(i64 4)
  %q = getelementptr i8, ptr %p, i64 0
  call void @free(ptr %q)
  ret i8 0
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
  %w = add i8 %v, 2
  ret i8 %w
}

define ptr @too_large() {
  %p = call ptr @malloc(i64 -9223372036854775808)
  ret ptr %p
}

declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
