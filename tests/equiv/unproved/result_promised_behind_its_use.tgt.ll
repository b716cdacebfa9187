@seen = global i32 0
@place = global i64 0
declare ptr @pointer()
declare i32 @number()
define void @null_is_seen() {
  %p = call ptr @pointer()
  store i32 0, ptr @seen
  ret void
}
define void @large_number_is_seen() {
  %n = call i32 @number()
  %m = and i32 %n, 15
  store i32 %m, ptr @seen
  ret void
}
define void @misaligned_is_seen() {
  %p = call ptr @pointer()
  %n = ptrtoint ptr %p to i64
  %m = and i64 %n, -8
  store i64 %m, ptr @place
  ret void
}
