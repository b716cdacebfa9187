@g = constant i16 1
@v = global [4 x i32] zeroinitializer

define i8 @read() {
  %p = getelementptr inbounds i8, ptr @g, i64 1
  %x = load i8, ptr %p, align 1
  ret i8 %x
}

define i8 @read_by_expression() {
  %x = load i8, ptr getelementptr inbounds (i8, ptr @g, i64 1)
  ret i8 %x
}

define ptr @last() {
  %p = getelementptr inbounds [4 x i32], ptr @v, i64 0, i64 3
  ret ptr %p
}

define ptr @end() {
  %p = getelementptr inbounds i8, ptr @v, i64 8
  %q = getelementptr inbounds i8, ptr %p, i64 8
  ret ptr %q
}

define i8 @expression_is_read() {
  ret i8 0
}
