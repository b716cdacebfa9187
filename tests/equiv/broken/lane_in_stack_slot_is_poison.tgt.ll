; The target shows the lane of a stack slot that is poison.
define i64 @second(i64 noundef %a) {
  %s = alloca <2 x i64>, align 16
  %low = insertelement <2 x i64> poison, i64 %a, i32 0
  store <2 x i64> %low, ptr %s, align 16
  %w = load <2 x i64>, ptr %s, align 16
  %x = extractelement <2 x i64> %w, i32 1
  ret i64 %x
}
