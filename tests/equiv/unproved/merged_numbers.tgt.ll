define float @no_leave(i1 noundef %c, float noundef %a, float noundef %b) {
  %r = select nsz i1 %c, float %a, float %b
  ret float %r
}

define float @other_leave(i1 noundef %c, float noundef %a, float noundef %b) {
  %r = select nsz reassoc i1 %c, float %a, float %b
  ret float %r
}

define float @other_value(i1 noundef %c, float noundef %a, float noundef %b) {
  %r = select nsz i1 %c, float %b, float %a
  ret float %r
}

define void @chosen_twice(i1 noundef %c, ptr noundef %p, float noundef %a, float noundef %b) {
  %r = select nsz i1 %c, float %a, float %b
  %s = select nsz i1 %c, float %a, float %b
  %q = getelementptr i8, ptr %p, i64 4
  store float %r, ptr %p
  store float %s, ptr %q
  ret void
}

define float @phi_that_chooses(i1 noundef %c, float noundef %a, float noundef %b) {
entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %r = phi nsz float [ %a, %then ], [ %b, %entry ]
  ret float %r
}
