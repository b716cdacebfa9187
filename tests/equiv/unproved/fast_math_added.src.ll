; The target may do what the source may not.
define float @sign_of_zero(float noundef %a, float noundef %b) {
  %r = fadd float %a, %b
  ret float %r
}

define float @in_any_order(float noundef %a, float noundef %b) {
  %r = fadd nsz float %a, %b
  ret float %r
}

define float @chosen(i1 noundef %c, float noundef %a, float noundef %b) {
  %r = select i1 %c, float %a, float %b
  ret float %r
}

; Each of the two may be zero of another sign.
define void @chosen_twice(ptr noundef %p, float noundef %a, float noundef %b) {
  %r = fadd nsz float %a, %b
  %q = getelementptr i8, ptr %p, i64 4
  store float %r, ptr %p
  store float %r, ptr %q
  ret void
}
