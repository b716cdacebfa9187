; A tenth is no number of this format: the product is rounded twice.
define double @f(double noundef %x) {
  %q = fdiv double %x, 1.000000e+01
  ret double %q
}
