define i32 @f(i32 %x, ptr %p) {
  %a = add nsw i32 %x, 1
  %b = load i64, ptr %p, align 8
  %c = trunc i64 %b to i32
  store i32 %a, ptr %p, align 4
  %d = mul i32 %a, %c
  ret i32 %d
}
