; So the function that tells no more will do.
declare i32 @bcmp(ptr, ptr, i64)

define i1 @same(ptr noundef %a, ptr noundef %b, i64 noundef %n) {
  %d = call i32 @bcmp(ptr noundef %a, ptr noundef %b, i64 noundef %n)
  %e = icmp eq i32 %d, 0
  ret i1 %e
}
