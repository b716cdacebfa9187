@k = constant i32 5, align 4
define i32 @f(i32 noundef %x) {
entry:
  %v = load i32, ptr @k, align 4
  store i32 %v, ptr @k, align 4
  ret i32 %v
}
