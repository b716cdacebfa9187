; What leaves a call of the body would leave the function, which says that nothing does; and what is promised of a result
; that only is returned is promised of the call which gives it.
@done = global i32 0
declare void @work()
declare ptr @pointer()
define internal void @quiet() nounwind {
  call void @work()
  ret void
}
define void @exceptions() {
  store i32 1, ptr @done
  call void @quiet()
  ret void
}
define internal nonnull ptr @not_null() {
  %p = call ptr @pointer()
  ret ptr %p
}
define i1 @poison_if_null() {
  %p = call ptr @not_null()
  %c = icmp eq ptr %p, null
  ret i1 %c
}
define internal noundef nonnull ptr @never_null() {
  %p = call ptr @pointer()
  %c = icmp eq ptr %p, null
  %z = zext i1 %c to i32
  store i32 %z, ptr @done
  ret ptr %p
}
define void @undefined_if_null() {
  %p = call ptr @never_null()
  ret void
}
