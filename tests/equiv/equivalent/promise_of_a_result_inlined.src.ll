declare ptr @take(i64 noundef)
define internal noalias ptr @made(i64 noundef %n) {
  %m = add i64 %n, 16
  %p = call ptr @take(i64 noundef %m)
  ret ptr %p
}
define ptr @f() {
  %p = call ptr @made(i64 noundef 8)
  ret ptr %p
}
