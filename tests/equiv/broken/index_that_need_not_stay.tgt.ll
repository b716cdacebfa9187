define ptr @four(ptr noundef %p, i64 noundef %n) {
  %e = getelementptr inbounds i32, ptr %p, i64 %n
  ret ptr %e
}

define ptr @twelve(ptr noundef %p, i64 noundef %n) {
  %e = getelementptr inbounds [3 x i32], ptr %p, i64 %n
  ret ptr %e
}
