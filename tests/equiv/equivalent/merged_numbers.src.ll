; A PHI and a select of the same leave merge to one value, and may choose its sign where it is zero.
define float @phi_becomes_select(i1 noundef %c, float noundef %a, float noundef %b) {
entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %r = phi nsz float [ %a, %then ], [ %b, %entry ]
  ret float %r
}

define float @select_becomes_phi(i1 noundef %c, float noundef %a, float noundef %b) {
  %r = select nsz i1 %c, float %a, float %b
  ret float %r
}
