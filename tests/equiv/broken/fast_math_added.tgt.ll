define float @not_a_number(float noundef %a) {
  %r = fneg nnan float %a
  ret float %r
}

define i1 @infinite(float noundef %a, float noundef %b) {
  %r = fcmp ninf olt float %a, %b
  ret i1 %r
}
