; Calls that touch no memory of the program, of functions that nothing says to return: they stay.
declare void @outside() memory(inaccessiblemem: readwrite)
declare void @plain()

define void @left_out() {
  call void @outside()
  ret void
}

define void @ended_otherwise() {
  call void @plain() noreturn memory(read)
  unreachable
}
