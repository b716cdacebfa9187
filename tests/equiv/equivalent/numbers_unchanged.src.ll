; Arithmetic that changes no number may give a NaN as it is and with either sign; comparisons and extremes of numbers.

declare double @llvm.maxnum.f64(double, double)
declare float @llvm.minimum.f32(float, float)
declare float @llvm.vector.reduce.fmax.v2f32(<2 x float>)
declare i1 @llvm.is.fpclass.f64(double, i32)

define half @negated(half noundef %x) {
  %r = fsub half -0.0, %x
  ret half %r
}

define double @divided_by_minus_one(double noundef %x) {
  %r = fdiv double %x, -1.0
  ret double %r
}

define float @zero_taken_away(float noundef %x) {
  %r = fsub float %x, 0.0
  ret float %r
}

define i1 @quiet() {
  %r = fdiv double 0.0, 0.0
  %q = call i1 @llvm.is.fpclass.f64(double %r, i32 2)
  ret i1 %q
}

define double @greater_of_known(double noundef %x) {
  %r = call double @llvm.maxnum.f64(double 3.0, double -4.0)
  ret double %r
}

define float @lesser_zero() {
  %r = call float @llvm.minimum.f32(float 0.0, float -0.0)
  ret float %r
}

define float @of_lanes(<2 x float> noundef %x) {
  %r = call float @llvm.vector.reduce.fmax.v2f32(<2 x float> %x)
  ret float %r
}
