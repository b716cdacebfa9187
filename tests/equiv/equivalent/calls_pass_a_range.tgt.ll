define internal i64 @wide(i64 noundef %n) {
  %r = mul nuw nsw i64 %n, 3
  ret i64 %r
}
define i64 @one(i32 noundef %n) {
  %w = zext i32 %n to i64
  %v = call i64 @wide(i64 noundef %w)
  ret i64 %v
}
define i64 @two(i64 noundef %n) {
  %c = icmp ugt i64 %n, 4000
  br i1 %c, label %no, label %yes
no:
  ret i64 0
yes:
  %v = call i64 @wide(i64 noundef %n)
  ret i64 %v
}
