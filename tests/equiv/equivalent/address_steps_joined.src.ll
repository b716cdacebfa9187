define i64 @joined(ptr noundef %p, i64 noundef %i) {
entry:
  %a = getelementptr inbounds i8, ptr %p, i64 40
  %b = getelementptr inbounds [32 x { i64, i64 }], ptr %a, i64 0, i64 %i
  %c = getelementptr inbounds { i64, i64 }, ptr %b, i32 0, i32 1
  %v = load i64, ptr %c, align 8
  ret i64 %v
}
