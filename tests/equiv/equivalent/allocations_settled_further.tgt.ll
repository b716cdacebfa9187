; What is known of allocations: operator new never gives null, what is freed twice is undefined unless it is null, a step of
; zero is the pointer itself, and what nobody looks at need not be cleared.
define i8 @new_is_an_object_of_its_own(ptr noundef %other) {
  store i8 20, ptr %other
  ret i8 10
}

define i8 @freed_twice() {
  %p = call ptr @malloc(i64 4)
  %none = icmp eq ptr %p, null
  br i1 %none, label %fails, label %given

fails:
  ret i8 0

given:
  unreachable
}

define i1 @large_and_unread() {
  ret i1 false
}

define void @of_no_size() {
  unreachable
}

declare ptr @malloc(i64)
