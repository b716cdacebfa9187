define double @f(double noundef %a, double noundef %b, double noundef %c) {
  %p = fmul double %a, %b
  %r = fadd double %p, %c
  ret double %r
}
