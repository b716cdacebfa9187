@pair.1 = internal global i32 0
define void @set(i32 noundef %x) {
  store i32 %x, ptr @pair.1
  ret void
}
define i32 @get() {
  %v = load i32, ptr @pair.1
  ret i32 %v
}
