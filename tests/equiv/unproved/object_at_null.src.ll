; An object may lie at null.
define i1 @f(ptr noundef %p, i64 noundef %n) null_pointer_is_valid {
  %q = getelementptr inbounds i8, ptr %p, i64 %n
  %r = icmp eq ptr %q, null
  ret i1 %r
}
