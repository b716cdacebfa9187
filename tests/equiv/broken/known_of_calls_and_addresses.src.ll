; What is known of calls and addresses does not excuse these.
define i8 @something_else_comes_back(i8 noundef %n) {
  %a = call i8 @gives_back(i8 %n)
  ret i8 %a
}

define i1 @somebody_has_it() {
  %p = alloca i8
  %other = call ptr @finds(ptr %p)
  %same = icmp eq ptr %p, %other
  ret i1 %same
}

define void @traps() {
  call void @llvm.trap()
  unreachable
}

define i4 @need_not_return(ptr noundef %p) {
  %v = load i4, ptr %p
  call void @elsewhere()
  ret i4 %v
}

declare i8 @gives_back(i8 returned)
declare ptr @finds(ptr)
declare void @elsewhere() memory(inaccessiblemem: readwrite)
declare void @never()
declare void @llvm.trap()
