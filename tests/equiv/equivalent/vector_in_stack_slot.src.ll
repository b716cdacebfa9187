; A vector in a stack slot, of which each lane is poison or not by itself.
define <2 x i64> @passed(i32 noundef %a) {
  %s = alloca <2 x i64>, align 16
  %v = call <2 x i64> @make(i32 noundef %a)
  store <2 x i64> %v, ptr %s, align 16
  %w = load <2 x i64>, ptr %s, align 16
  %r = call <2 x i64> @use(<2 x i64> noundef %w)
  ret <2 x i64> %r
}

define i64 @first(i64 noundef %a) {
  ret i64 %a
}

define i64 @kept(i64 noundef %a, i64 noundef %b) {
  %s = alloca <2 x i64>, align 16
  %low = insertelement <2 x i64> poison, i64 %a, i32 0
  store <2 x i64> %low, ptr %s, align 16
  %w = load <2 x i64>, ptr %s, align 16
  %both = insertelement <2 x i64> %w, i64 %b, i32 1
  %r = call <2 x i64> @use(<2 x i64> noundef %both)
  %x = extractelement <2 x i64> %r, i32 0
  ret i64 %x
}

declare <2 x i64> @make(i32 noundef)
declare <2 x i64> @use(<2 x i64> noundef)
