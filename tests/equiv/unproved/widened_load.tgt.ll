define i32 @f(ptr noundef align 8 %p) {
entry:
  %w = load i64, ptr %p, align 8
  %v = trunc i64 %w to i32
  ret i32 %v
}
