declare void @throws() willreturn
declare void @exits() nounwind
declare void @returns() nounwind willreturn
define i32 @exception(i32 noundef %a, i32 noundef %b) {
  call void @throws()
  %d = sdiv i32 %a, %b
  ret i32 %d
}
define i32 @end(i32 noundef %a, i32 noundef %b) {
  call void @exits()
  %d = sdiv i32 %a, %b
  ret i32 %d
}
define i32 @another_number(i32 noundef %a, i32 noundef %b) {
  call void @returns()
  %d = sdiv i32 %a, %b
  ret i32 %d
}
