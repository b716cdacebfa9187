@t = global [2 x i32] zeroinitializer

define i32 @f(i64 noundef %i) {
  %p = getelementptr [2 x i32], ptr @t, i64 0, i64 %i
  %r = load i32, ptr %p, align 4
  ret i32 %r
}
