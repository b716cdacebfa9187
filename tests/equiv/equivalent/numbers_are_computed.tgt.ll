define float @sum() {
  ret float 3.75
}

define float @smallest_stay() {
  ret float 0x3800000000000000
}

define float @smallest_flushed() "denormal-fp-math"="preserve-sign,preserve-sign" {
  ret float -0.0
}

define i32 @halves() {
  ret i32 -5
}
