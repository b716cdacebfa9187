@done = global i32 0
declare void @work()
declare ptr @pointer()
define void @exceptions() {
  store i32 1, ptr @done
  call void @work() nounwind
  ret void
}
define i1 @poison_if_null() {
  %p = call nonnull ptr @pointer()
  ret i1 false
}
define void @undefined_if_null() {
  %p = call noundef nonnull ptr @pointer()
  store i32 0, ptr @done
  ret void
}
