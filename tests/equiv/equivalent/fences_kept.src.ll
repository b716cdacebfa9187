define i32 @orders(ptr %flag, i32 %x, i32 %y) {
  fence release
  store atomic i32 1, ptr %flag monotonic, align 4
  %s = add i32 %x, %y
  fence acquire
  fence syncscope("singlethread") seq_cst
  %t = add i32 %s, %y
  ret i32 %t
}
