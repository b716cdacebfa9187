; What is known of allocations: operator new never gives null, what is freed twice is undefined unless it is null, a step of
; zero is the pointer itself, and what nobody looks at need not be cleared.
define i8 @new_is_an_object_of_its_own(ptr noundef %other) {
  %p = call ptr @_Znwm(i64 1)
  store i8 10, ptr %p
  store i8 20, ptr %other
  %v = load i8, ptr %p
  ret i8 %v
}

define i8 @freed_twice() {
  %p = call ptr @malloc(i64 4)
  %none = icmp eq ptr %p, null
  br i1 %none, label %fails, label %given

fails:
  ret i8 0

given:
  call void @free(ptr %p)
  call void @free(ptr %p)
  ret i8 1
}

define i1 @large_and_unread() {
  %p = call ptr @calloc(i64 1000, i64 1000)
  %q = getelementptr i8, ptr %p, i64 0
  %none = icmp eq ptr %q, null
  ret i1 %none
}

define void @of_no_size() {
  %p = call ptr @malloc(i64 undef)
  ret void
}

declare ptr @_Znwm(i64)
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
