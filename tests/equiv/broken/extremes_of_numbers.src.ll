declare float @llvm.maxnum.f32(float, float)
declare double @llvm.maximum.f64(double, double)

define float @greater(float noundef %x) {
  %r = call float @llvm.maxnum.f32(float %x, float 2.0)
  ret float %r
}

define double @of_zeros() {
  %r = call double @llvm.maximum.f64(double -0.0, double 0.0)
  ret double %r
}
