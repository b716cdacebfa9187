declare i32 @read(ptr)

define { i64, i64 } @number(i32 %n) {
  %wide = zext i32 %n to i64
  %first = insertvalue { i64, i64 } poison, i64 %wide, 0
  %both = insertvalue { i64, i64 } %first, i64 0, 1
  ret { i64, i64 } %both
}

define { i64, i64 } @next(ptr %file) {
  %n = call i32 @read(ptr %file)
  %more = add i32 %n, 1
  %wide = zext i32 %more to i64
  %first = insertvalue { i64, i64 } poison, i64 %wide, 0
  %both = insertvalue { i64, i64 } %first, i64 0, 1
  ret { i64, i64 } %both
}
