define internal void @step(ptr noundef %p, i32 noundef %n) {
  %v = load i32, ptr %p
  %w = add i32 %v, %n
  store i32 %w, ptr %p
  ret void
}
declare void @seen(ptr noundef)
define void @both(ptr noundef %p) {
  call void @step(ptr noundef %p, i32 noundef 1)
  call void @seen(ptr noundef %p)
  call void @step(ptr noundef %p, i32 noundef 2)
  ret void
}
