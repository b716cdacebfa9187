define i64 @f(ptr noundef %q, i64 noundef %k) {
  %a = load i64, ptr %q
  store i64 %k, ptr %q
  %x = add i64 %a, %k
  %r = add i64 %x, %k
  ret i64 %r
}
