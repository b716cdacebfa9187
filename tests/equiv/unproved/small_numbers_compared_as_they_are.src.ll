define i1 @is_zero(float %x) "denormal-fp-math"="preserve-sign,preserve-sign" {
  %r = fcmp oeq float %x, 0.0
  ret i1 %r
}
