declare float @llvm.minnum.f32(float, float)

define float @greater(float noundef %x) {
  %r = call float @llvm.minnum.f32(float %x, float 2.0)
  ret float %r
}

define double @of_zeros() {
  ret double -0.0
}
