declare float @llvm.maxnum.f32(float, float)

define half @negated(half noundef %x) {
  %r = fneg half %x
  ret half %r
}

define double @divided_by_minus_one(double noundef %x) {
  %r = fneg double %x
  ret double %r
}

define float @zero_taken_away(float noundef %x) {
  ret float %x
}

define i1 @quiet() {
  ret i1 true
}

define double @greater_of_known(double noundef %x) {
  ret double 3.0
}

define float @lesser_zero() {
  ret float -0.0
}

define float @of_lanes(<2 x float> noundef %x) {
  %a = extractelement <2 x float> %x, i32 0
  %b = extractelement <2 x float> %x, i32 1
  %r = call float @llvm.maxnum.f32(float %a, float %b)
  ret float %r
}
