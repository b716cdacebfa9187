define noundef i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture align 4 %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call range(i32 0, 9) i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
define dso_local noundef i32 @f(i32 noundef %x, ptr nocapture align 4 dereferenceable(8) %p) {
  %a = add nuw nsw i32 %x, 1
  store volatile i32 %a, ptr %p, align 4
  %b = tail call i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
; ----
; all that go together
define i32 @f(i32 %x, ptr %p) {
  %a = add i32 %x, 1
  store i32 %a, ptr %p
  %b = call i32 @f(i32 %a, ptr %p)
  ret i32 %b
}
