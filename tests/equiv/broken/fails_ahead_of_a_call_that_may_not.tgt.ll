declare void @throws() willreturn
declare void @exits() nounwind
declare void @returns() nounwind willreturn
define i32 @exception(i32 noundef %a, i32 noundef %b) {
  %d = sdiv i32 %a, %b
  call void @throws()
  ret i32 %d
}
define i32 @end(i32 noundef %a, i32 noundef %b) {
  %d = sdiv i32 %a, %b
  call void @exits()
  ret i32 %d
}
define i32 @another_number(i32 noundef %a, i32 noundef %b) {
  %d = sdiv i32 %b, %a
  call void @returns()
  %e = sdiv i32 %a, %b
  ret i32 %e
}
