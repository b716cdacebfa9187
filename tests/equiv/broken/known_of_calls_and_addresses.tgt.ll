; What is known of calls and addresses does not excuse these.
define i8 @something_else_comes_back(i8 noundef %n) {
  %a = call i8 @gives_back(i8 %n)
  ret i8 0
}

define i1 @somebody_has_it() {
  %p = alloca i8
  %other = call ptr @finds(ptr %p)
  ret i1 false
}

define void @traps() {
  call void @never() noreturn memory(none)
  unreachable
}

define i4 @need_not_return(ptr noundef %p) {
  %v = load i4, ptr %p
  ret i4 %v
}

declare i8 @gives_back(i8 returned)
declare ptr @finds(ptr)
declare void @elsewhere() memory(inaccessiblemem: readwrite)
declare void @never()
declare void @llvm.trap()
