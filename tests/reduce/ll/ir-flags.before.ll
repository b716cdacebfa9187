define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
