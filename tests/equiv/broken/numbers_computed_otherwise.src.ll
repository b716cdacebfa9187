; Results that are others, and one that is flushed where nothing says that it may be.
define float @sum() {
  %r = fadd float 1.5, 2.25
  ret float %r
}

define float @smallest_stay() {
  %r = fdiv float 0x3810000000000000, 2.0
  ret float %r
}
