; Addresses may wrap to null.
define i1 @wraps(ptr noundef %p, i64 noundef %n) {
  %q = getelementptr i8, ptr %p, i64 %n
  %r = icmp eq ptr %q, null
  ret i1 %r
}
