; A number without its sign bit is the same with a sign: nobody has to ask which conversion it was.
define double @f(i64 noundef %x, i64 noundef %y) {
  %sum = add i64 %x, %y
  %high = lshr i64 %sum, 11
  %more = add i64 %high, 30
  %r = uitofp i64 %more to double
  ret double %r
}
