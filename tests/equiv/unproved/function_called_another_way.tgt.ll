define fastcc i32 @by_convention(i32 %x) {
  ret i32 %x
}
define i32 @extended(i8 signext %x) {
  %y = zext i8 %x to i32
  ret i32 %y
}
