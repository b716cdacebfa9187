; The order of the strings is asked.
declare i32 @memcmp(ptr, ptr, i64)

define i1 @same(ptr noundef %a, ptr noundef %b, i64 noundef %n) {
  %d = call i32 @memcmp(ptr noundef %a, ptr noundef %b, i64 noundef %n)
  %e = icmp slt i32 %d, 0
  ret i1 %e
}
