@limit = constant i32 7

define i32 @writes_to_a_constant(i32 noundef %v) {
  unreachable
}
