; Nobody knows.
declare noundef i32 @tell_time(ptr noundef, ptr noundef)

define i32 @now(ptr noundef %to) {
entry:
  %failed = call i32 @tell_time(ptr noundef %to, ptr noundef null)
  ret i32 0
}
