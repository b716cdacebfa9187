define i32 @orders(ptr %flag, i32 %x, i32 %y) {
  fence release
  store atomic i32 1, ptr %flag monotonic, align 4
  fence acquire
  fence syncscope("singlethread") seq_cst
  %d = shl i32 %y, 1
  %t = add i32 %x, %d
  ret i32 %t
}
