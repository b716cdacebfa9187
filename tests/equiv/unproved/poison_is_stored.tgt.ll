@x = global ptr null

define void @f(ptr noundef %p) {
  store ptr %p, ptr @x
  store ptr %p, ptr %p
  ret void
}
