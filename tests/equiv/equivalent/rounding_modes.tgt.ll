declare double @llvm.experimental.constrained.fmul.f64(double, double, metadata, metadata)

define float @upwards(float noundef %a) {
  ret float %a
}

define double @flags_may_be_lost(double noundef %a) {
  ret double %a
}

define double @in_the_same_mode(double noundef %a, double noundef %b, i1 noundef %c) {
  %r = call double @llvm.experimental.constrained.fmul.f64(double %a, double %b, metadata !"round.upward", metadata !"fpexcept.ignore")
  %not = xor i1 %c, true
  %s = select i1 %not, double %a, double %r
  ret double %s
}
