define float @sum() {
  ret float 3.5
}

define float @smallest_stay() {
  ret float 0.0
}
