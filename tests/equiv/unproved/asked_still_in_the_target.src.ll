declare i1 @llvm.is.constant.i32(i32)
define i32 @f(i32 noundef %y) {
  %known = call i1 @llvm.is.constant.i32(i32 %y)
  %b = select i1 %known, i32 0, i32 %y
  ret i32 %b
}
