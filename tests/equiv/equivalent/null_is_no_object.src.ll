; A pointer within an object is null only where it began as null.
define i1 @f(ptr noundef %p, i64 noundef %n) {
  %q = getelementptr inbounds i8, ptr %p, i64 %n
  %r = icmp eq ptr %q, null
  ret i1 %r
}
