declare i32 @use(ptr noundef, i32 noundef)

define i32 @written_through(i32 noundef %n, i1 noundef %c) {
  %x = alloca i32, align 4
  %y = alloca i32, align 4
  store i32 %n, ptr %x, align 4
  store i32 %n, ptr %y, align 4
  %p = select i1 %c, ptr %x, ptr %y
  store i32 7, ptr %p, align 4
  %a = call i32 @use(ptr noundef nonnull %x, i32 noundef 1)
  %b = call i32 @use(ptr noundef nonnull %y, i32 noundef %a)
  ret i32 %b
}

define i64 @its_own(i64 noundef %n) {
  %keep = alloca [2 x i64], align 8
  %second = getelementptr inbounds [2 x i64], ptr %keep, i64 0, i64 1
  store i64 %n, ptr %keep, align 8
  store ptr %second, ptr %second, align 8
  ret i64 %n
}
