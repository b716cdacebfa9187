define i1 @f(ptr noundef %p, i64 noundef %n) null_pointer_is_valid {
  %r = icmp eq ptr %p, null
  ret i1 %r
}
