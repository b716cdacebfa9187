; What is known at compile time, as the modes for the smallest numbers have it.
define float @sum() {
  %r = fadd float 1.5, 2.25
  ret float %r
}

define float @smallest_stay() {
  %r = fdiv float 0x3810000000000000, 2.0
  ret float %r
}

define float @smallest_flushed() "denormal-fp-math"="preserve-sign,preserve-sign" {
  %r = fdiv float 0x3810000000000000, -2.0
  ret float %r
}

define i32 @halves() {
  %r = fptosi half 0xHC500 to i32
  ret i32 %r
}
