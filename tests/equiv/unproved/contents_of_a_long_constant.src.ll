; Zero, whichever byte of a long constant is asked for.
define i8 @byte(i64 noundef %n) {
entry:
  ret i8 0
}
