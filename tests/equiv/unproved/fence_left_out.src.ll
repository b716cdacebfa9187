define void @publishes(ptr %data, ptr %flag) {
  store i32 1, ptr %data
  fence release
  store atomic i32 1, ptr %flag monotonic, align 4
  ret void
}
define i32 @reads(ptr %data, ptr %flag) {
  %f = load atomic i32, ptr %flag monotonic, align 4
  fence acquire
  %v = load i32, ptr %data
  %r = add i32 %f, %v
  ret i32 %r
}
