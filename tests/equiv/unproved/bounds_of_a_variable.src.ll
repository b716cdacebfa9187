; A step leaves the variable, before it or behind it, for good or on the way; or its size is not known.
@v = global [4 x i32] zeroinitializer
@w = weak global [4 x i32] zeroinitializer
@x = external global [4 x i32]

define ptr @behind() {
  %p = getelementptr i8, ptr @v, i64 17
  ret ptr %p
}

define ptr @before() {
  %p = getelementptr i8, ptr @v, i64 -1
  ret ptr %p
}

define ptr @on_the_way() {
  %p = getelementptr i8, ptr @v, i64 4
  ret ptr %p
}

define ptr @expression() {
  %p = getelementptr i8, ptr @v, i64 17
  ret ptr %p
}

define ptr @from_outside() {
  %p = getelementptr i8, ptr @v, i64 8
  ret ptr %p
}

define ptr @replaced() {
  %p = getelementptr i8, ptr @w, i64 16
  ret ptr %p
}

define ptr @elsewhere() {
  %p = getelementptr i8, ptr @x, i64 16
  ret ptr %p
}
