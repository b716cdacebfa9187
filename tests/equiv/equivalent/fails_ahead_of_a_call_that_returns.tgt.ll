declare void @returns() nounwind willreturn
define i32 @divides(i32 noundef %a, i32 noundef %b) {
  %d = sdiv i32 %a, %b
  call void @returns()
  ret i32 %d
}
