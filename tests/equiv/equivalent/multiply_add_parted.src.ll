; The target multiplies and adds by itself, which the source's operation may do.
define double @f(double noundef %a, double noundef %b, double noundef %c) {
  %r = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
  ret double %r
}
declare double @llvm.fmuladd.f64(double, double, double)
