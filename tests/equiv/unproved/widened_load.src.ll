define i32 @f(ptr noundef align 8 %p) {
entry:
  %v = load i32, ptr %p, align 8
  ret i32 %v
}
