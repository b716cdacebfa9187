declare void @g(i32)


define void @h() {
  call void @g(i32 1)
  ret void
}
; ----
declare void @g(i32)

define internal i32 @f(i32 noundef %x) #0 {
  ret i32 %x
}
; ----
declare void @g(i32)

declare i32 @f(i32 noundef %x) #0

define void @h() {
  call void @g(i32 1)
  ret void
}
; ----
declare void @g(i32)

define internal i32 @f(i32 noundef %x) #0 {
  ret i32 %x
}

declare void @h()
; ----
; all that go together
declare void @g(i32)


