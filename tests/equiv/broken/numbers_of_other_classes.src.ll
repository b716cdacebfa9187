define i1 @infinite(float nofpclass(inf) %x) {
  %c = fcmp uno float %x, 0.0
  ret i1 %c
}
define i1 @other_sign(double nofpclass(nan pinf) %x) {
  %c = fcmp ult double %x, 0xFFEFFFFFFFFFFFFF
  ret i1 %c
}
