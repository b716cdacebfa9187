declare i32 @use(ptr noundef, i32 noundef)

define i32 @handed_on(i32 noundef %n) {
  %x = alloca i32, align 4
  store i32 %n, ptr %x, align 4
  %r = call i32 @use(ptr noundef nonnull %x, i32 noundef %n)
  ret i32 %r
}

define i32 @written_through(i32 noundef %n, i1 noundef %c) {
  %x = alloca i32, align 4
  %y = alloca i32, align 4
  store i32 %n, ptr %x, align 4
  store i32 %n, ptr %y, align 4
  %p = select i1 %c, ptr %y, ptr %x
  store i32 7, ptr %p, align 4
  %a = call i32 @use(ptr noundef nonnull %x, i32 noundef 1)
  %b = call i32 @use(ptr noundef nonnull %y, i32 noundef %a)
  ret i32 %b
}
