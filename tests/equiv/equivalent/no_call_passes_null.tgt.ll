define internal i32 @get(ptr noundef %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
