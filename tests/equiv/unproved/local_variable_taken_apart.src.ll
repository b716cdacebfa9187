@pair = internal global { i32, i32 } zeroinitializer
define void @set(i32 noundef %x) {
  store i32 %x, ptr getelementptr inbounds ({ i32, i32 }, ptr @pair, i64 0, i32 1)
  ret void
}
define i32 @get() {
  %v = load i32, ptr getelementptr inbounds ({ i32, i32 }, ptr @pair, i64 0, i32 1)
  ret i32 %v
}
