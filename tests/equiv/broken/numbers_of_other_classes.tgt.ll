define i1 @infinite(float nofpclass(inf) %x) {
  ret i1 false
}
define i1 @other_sign(double nofpclass(nan pinf) %x) {
  ret i1 false
}
