define double @f(i64 noundef %x, i64 noundef %y) {
  %sum = add i64 %x, %y
  %high = lshr i64 %sum, 11
  %more = add nuw nsw i64 %high, 30
  %r = uitofp nneg i64 %more to double
  ret double %r
}
