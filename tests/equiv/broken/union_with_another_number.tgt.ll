define { i64, i64 } @number(i32 %n) {
  %wide = zext i32 0 to i64
  %first = insertvalue { i64, i64 } poison, i64 %wide, 0
  %both = insertvalue { i64, i64 } %first, i64 0, 1
  ret { i64, i64 } %both
}
