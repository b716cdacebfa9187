define i32 @f(i8 noundef %x) {
entry:
  %s = alloca i32, align 4
  store i8 %x, ptr %s, align 4
  %r = load i8, ptr %s, align 4
  %w = load i32, ptr %s, align 4
  %z = zext i8 %r to i32
  ret i32 %z
}
