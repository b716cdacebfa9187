define i1 @f(ptr noundef %p, i64 noundef %n) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}
