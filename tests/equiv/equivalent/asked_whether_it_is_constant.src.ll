declare i1 @llvm.is.constant.i32(i32)
define internal i32 @times(i32 noundef %x, i32 noundef %by) {
  %known = call i1 @llvm.is.constant.i32(i32 %by)
  br i1 %known, label %shift, label %mul
shift:
  %s = shl i32 %x, 2
  ret i32 %s
mul:
  %m = mul i32 %x, %by
  ret i32 %m
}
define i32 @f(i32 noundef %x, i32 noundef %y) {
  %a = call i32 @times(i32 noundef %x, i32 noundef 4)
  %known = call i1 @llvm.is.constant.i32(i32 %y)
  %b = select i1 %known, i32 0, i32 %y
  %r = add i32 %a, %b
  ret i32 %r
}
