declare float @llvm.experimental.constrained.fsub.f32(float, float, metadata, metadata)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fmul.f64(double, double, metadata, metadata)

define float @upwards(float noundef %a) {
  %r = call float @llvm.experimental.constrained.fsub.f32(float %a, float 0.0, metadata !"round.upward", metadata !"fpexcept.ignore")
  ret float %r
}

define double @flags_may_be_lost(double noundef %a) {
  %r = call double @llvm.experimental.constrained.fadd.f64(double %a, double -0.0, metadata !"round.towardzero", metadata !"fpexcept.strict")
  ret double %r
}

define double @in_the_same_mode(double noundef %a, double noundef %b, i1 noundef %c) {
  %r = call double @llvm.experimental.constrained.fmul.f64(double %a, double %b, metadata !"round.upward", metadata !"fpexcept.ignore")
  %s = select i1 %c, double %r, double %a
  ret double %s
}
