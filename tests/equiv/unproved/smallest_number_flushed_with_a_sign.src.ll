; Zero has the sign of what was flushed.
define float @f() "denormal-fp-math"="preserve-sign,preserve-sign" {
  %r = fdiv float 0x3810000000000000, -2.0
  ret float %r
}
