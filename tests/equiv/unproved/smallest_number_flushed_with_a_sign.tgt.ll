define float @f() "denormal-fp-math"="preserve-sign,preserve-sign" {
  ret float 0.0
}
