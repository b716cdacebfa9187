define i1 @inside(ptr noundef %p, i64 noundef %i) {
entry:
  %a = getelementptr i8, ptr %p, i64 %i
  %b = icmp eq ptr %a, %p
  ret i1 %b
}
