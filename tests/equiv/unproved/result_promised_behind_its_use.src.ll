; A result that is not as promised is poison where the function returned it, not before: what the body itself does with it
; is defined.
@seen = global i32 0
@place = global i64 0
declare ptr @pointer()
declare i32 @number()
define internal nonnull ptr @not_null() {
  %p = call ptr @pointer()
  %c = icmp eq ptr %p, null
  %z = zext i1 %c to i32
  store i32 %z, ptr @seen
  ret ptr %p
}
define internal range(i32 0, 10) i32 @small() {
  %n = call i32 @number()
  store i32 %n, ptr @seen
  ret i32 %n
}
define internal align 8 ptr @aligned() {
  %p = call ptr @pointer()
  %n = ptrtoint ptr %p to i64
  store i64 %n, ptr @place
  ret ptr %p
}
define void @null_is_seen() {
  %p = call ptr @not_null()
  ret void
}
define void @large_number_is_seen() {
  %n = call i32 @small()
  ret void
}
define void @misaligned_is_seen() {
  %p = call ptr @aligned()
  ret void
}
