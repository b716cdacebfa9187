declare ptr @get(ptr, ptr)

define i32 @behind(ptr %m) {
  %e = alloca i32, align 4
  store i32 0, ptr %e, align 4
  %p = call ptr @get(ptr %m, ptr %e)
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %x = load i32, ptr %e, align 4
  store i32 7, ptr %q, align 4
  %y = load i32, ptr %e, align 4
  %z = add i32 0, 0
  ret i32 %z
}

define i32 @two_steps(ptr %m) {
  %e = alloca i64, align 8
  store i64 0, ptr %e, align 8
  %p = call ptr @get(ptr %m, ptr %e)
  %q = getelementptr inbounds { i64, { i32, i32 } }, ptr %p, i64 0, i32 1
  %r = getelementptr inbounds { i32, i32 }, ptr %q, i64 0, i32 1
  store i64 5, ptr %e, align 8
  store i32 7, ptr %r, align 4
  %y = load i64, ptr %e, align 8
  %z = add i32 5, 0
  ret i32 %z
}

define i32 @wider(ptr %m) {
  %e = alloca i32, align 4
  store i32 0, ptr %e, align 4
  %p = call ptr @get(ptr %m, ptr %e)
  store i32 5, ptr %e, align 4
  store i64 7, ptr %p, align 4
  %y = load i32, ptr %e, align 4
  ret i32 5
}
