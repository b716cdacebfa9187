define void @orders() {
  fence syncscope("singlethread") seq_cst
  ret void
}
