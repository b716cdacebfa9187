@v = global [4 x i32] zeroinitializer
@w = weak global [4 x i32] zeroinitializer
@x = external global [4 x i32]

define ptr @behind() {
  %p = getelementptr inbounds i8, ptr @v, i64 17
  ret ptr %p
}

define ptr @before() {
  %p = getelementptr inbounds i8, ptr @v, i64 -1
  ret ptr %p
}

define ptr @on_the_way() {
  %p = getelementptr inbounds [4 x i32], ptr @v, i64 2, i64 -7
  ret ptr %p
}

define ptr @expression() {
  ret ptr getelementptr inbounds (i8, ptr @v, i64 17)
}

define ptr @from_outside() {
  %p = getelementptr i8, ptr @v, i64 24
  %q = getelementptr inbounds i8, ptr %p, i64 -16
  ret ptr %q
}

define ptr @replaced() {
  %p = getelementptr inbounds i8, ptr @w, i64 16
  ret ptr %p
}

define ptr @elsewhere() {
  %p = getelementptr inbounds i8, ptr @x, i64 16
  ret ptr %p
}
