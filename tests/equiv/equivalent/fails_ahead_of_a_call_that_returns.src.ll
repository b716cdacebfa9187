declare void @returns() nounwind willreturn
define i32 @divides(i32 noundef %a, i32 noundef %b) {
  call void @returns()
  %d = sdiv i32 %a, %b
  ret i32 %d
}
