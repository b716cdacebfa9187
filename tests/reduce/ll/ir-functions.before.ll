declare void @g(i32)

define internal i32 @f(i32 noundef %x) #0 {
  ret i32 %x
}

define void @h() {
  call void @g(i32 1)
  ret void
}
