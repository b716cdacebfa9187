define i1 @no_nan(float nofpclass(nan) %x) {
  ret i1 false
}
define i1 @neither(double nofpclass(nan ninf) %x) {
  ret i1 false
}
declare nofpclass(inf) double @finite()
define i1 @of_a_call() {
  %x = call nofpclass(inf) double @finite()
  ret i1 false
}
