define double @f(i64 noundef %x) {
  %r = sitofp i64 %x to double
  ret double %r
}
