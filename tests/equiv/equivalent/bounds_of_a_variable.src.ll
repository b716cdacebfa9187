; Steps by constants that stay in a variable or reach its end are in bounds, whatever addresses are.
@g = constant i16 1
@v = global [4 x i32] zeroinitializer

define i8 @read() {
  ret i8 0
}

define i8 @read_by_expression() {
  ret i8 0
}

define ptr @last() {
  %p = getelementptr [4 x i32], ptr @v, i64 0, i64 3
  ret ptr %p
}

define ptr @end() {
  %p = getelementptr i8, ptr @v, i64 16
  ret ptr %p
}

define i8 @expression_is_read() {
  %x = load i8, ptr getelementptr inbounds (i8, ptr @g, i64 1)
  ret i8 %x
}
