; The target is poison where the source is not.
define float @not_a_number(float noundef %a) {
  %r = fneg float %a
  ret float %r
}

define i1 @infinite(float noundef %a, float noundef %b) {
  %r = fcmp olt float %a, %b
  ret i1 %r
}
