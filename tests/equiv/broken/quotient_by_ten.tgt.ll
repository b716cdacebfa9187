define double @f(double noundef %x) {
  %q = fmul double %x, 1.000000e-01
  ret double %q
}
