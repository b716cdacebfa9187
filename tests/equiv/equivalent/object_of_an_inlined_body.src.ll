declare void @fill(ptr noundef)
define internal i32 @asked() {
  %x = alloca i32
  store i32 7, ptr %x
  call void @fill(ptr noundef %x)
  %v = load i32, ptr %x
  ret i32 %v
}
define i32 @f() {
  %a = call i32 @asked()
  %b = call i32 @asked()
  %r = sub i32 %a, %b
  ret i32 %r
}
