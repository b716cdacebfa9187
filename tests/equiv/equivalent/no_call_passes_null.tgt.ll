define internal i32 @get(ptr noundef %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @one(ptr noundef %p) {
  %c = icmp eq ptr %p, null
  br i1 %c, label %none, label %some
none:
  ret i32 0
some:
  %v = call i32 @get(ptr noundef %p)
  ret i32 %v
}
define i32 @two() {
  %x = alloca i32
  store i32 3, ptr %x
  %v = call i32 @get(ptr noundef %x)
  ret i32 %v
}
