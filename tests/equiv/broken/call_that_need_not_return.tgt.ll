declare void @outside() memory(inaccessiblemem: readwrite)
declare void @plain()
declare void @llvm.trap()

define void @left_out() {
  ret void
}

define void @ended_otherwise() {
  call void @llvm.trap()
  unreachable
}
