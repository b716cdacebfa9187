; The target shows the lane of a stack slot that is poison.
define i64 @second(i64 noundef %a) {
  ret i64 %a
}
