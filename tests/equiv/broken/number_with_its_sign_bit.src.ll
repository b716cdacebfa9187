; A number with its sign bit set is another one with a sign.
define double @f(i64 noundef %x) {
  %r = uitofp i64 %x to double
  ret double %r
}
