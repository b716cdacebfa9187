define float @dropped(float noundef %a, float noundef %b) {
  %r = fadd float %a, %b
  ret float %r
}

define i1 @no_nan(float noundef %a, float noundef %b) {
  ret i1 true
}

define float @kept(float noundef %a, float noundef %b) {
  %r = fmul nnan ninf float %a, %b
  ret float %r
}

define i1 @known(float noundef %a, float noundef %b) {
  ret i1 false
}

define float @commuted(float noundef %a, float noundef %b) {
  %r = fmul nsz nnan float %b, %a
  ret float %r
}

define <2 x float> @in_lanes(<2 x float> noundef %a, <2 x float> noundef %b, i1 noundef %c) {
  %s = fsub nsz <2 x float> %a, %b
  %r = select nsz i1 %c, <2 x float> %s, <2 x float> %a
  ret <2 x float> %r
}
