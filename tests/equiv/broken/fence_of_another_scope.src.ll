define void @orders() {
  fence seq_cst
  ret void
}
