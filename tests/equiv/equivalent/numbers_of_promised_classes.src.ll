define i1 @no_nan(float nofpclass(nan) %x) {
  %c = fcmp uno float %x, 0.0
  ret i1 %c
}
define i1 @neither(double nofpclass(nan ninf) %x) {
  %c = fcmp ult double %x, 0xFFEFFFFFFFFFFFFF
  ret i1 %c
}
declare nofpclass(inf) double @finite()
define i1 @of_a_call() {
  %x = call nofpclass(inf) double @finite()
  %c = fcmp oeq double %x, 0x7FF0000000000000
  ret i1 %c
}
