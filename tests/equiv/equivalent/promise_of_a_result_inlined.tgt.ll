declare ptr @take(i64 noundef)
define ptr @f() {
  %p.i = call noalias ptr @take(i64 noundef 24)
  ret ptr %p.i
}
