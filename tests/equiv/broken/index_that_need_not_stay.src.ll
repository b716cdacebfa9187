; The number of bytes may wrap, that of elements may not.
define ptr @four(ptr noundef %p, i64 noundef %n) {
  %i = shl i64 %n, 2
  %e = getelementptr inbounds i8, ptr %p, i64 %i
  ret ptr %e
}

define ptr @twelve(ptr noundef %p, i64 noundef %n) {
  %i = mul i64 %n, 12
  %e = getelementptr inbounds i8, ptr %p, i64 %i
  ret ptr %e
}
