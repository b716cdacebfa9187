; Flags of the source are leave to do without them, or to be poison.
define float @dropped(float noundef %a, float noundef %b) {
  %r = fadd fast float %a, %b
  ret float %r
}

define i1 @no_nan(float noundef %a, float noundef %b) {
  %r = fcmp nnan ord float %a, %b
  ret i1 %r
}

define float @kept(float noundef %a, float noundef %b) {
  %r = fmul nnan ninf float %a, %b
  ret float %r
}

define i1 @known(float noundef %a, float noundef %b) {
  %s = fadd nnan float %a, %b
  %r = fcmp uno float %s, %s
  ret i1 %r
}

define float @commuted(float noundef %a, float noundef %b) {
  %r = fmul fast float %a, %b
  ret float %r
}

define <2 x float> @in_lanes(<2 x float> noundef %a, <2 x float> noundef %b, i1 noundef %c) {
  %s = fsub nsz <2 x float> %a, %b
  %r = select nsz reassoc i1 %c, <2 x float> %s, <2 x float> %a
  ret <2 x float> %r
}
