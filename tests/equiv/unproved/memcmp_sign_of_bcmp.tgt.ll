; Which this function does not tell.
declare i32 @bcmp(ptr, ptr, i64)

define i1 @same(ptr noundef %a, ptr noundef %b, i64 noundef %n) {
  %d = call i32 @bcmp(ptr noundef %a, ptr noundef %b, i64 noundef %n)
  %e = icmp slt i32 %d, 0
  ret i1 %e
}
