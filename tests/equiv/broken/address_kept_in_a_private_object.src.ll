; An object that nobody else sees holds the address of one of two, or an object its own: what is written through it is seen.
declare i32 @use(ptr noundef, i32 noundef)

define i32 @written_through(i32 noundef %n, i1 noundef %c) {
  %x = alloca i32, align 4
  %y = alloca i32, align 4
  %keep = alloca { ptr, ptr }, align 8
  %second = getelementptr inbounds { ptr, ptr }, ptr %keep, i32 0, i32 1
  store i32 %n, ptr %x, align 4
  store i32 %n, ptr %y, align 4
  store ptr %x, ptr %keep, align 8
  store ptr %y, ptr %second, align 8
  br i1 %c, label %other, label %end
other:
  store ptr %y, ptr %keep, align 8
  br label %end
end:
  %p = load ptr, ptr %keep, align 8
  store i32 7, ptr %p, align 4
  %q = load ptr, ptr %second, align 8
  %a = call i32 @use(ptr noundef %x, i32 noundef 1)
  %b = call i32 @use(ptr noundef %q, i32 noundef %a)
  ret i32 %b
}

define i64 @its_own(i64 noundef %n) {
  %keep = alloca [2 x i64], align 8
  %second = getelementptr inbounds [2 x i64], ptr %keep, i64 0, i64 1
  store i64 %n, ptr %keep, align 8
  store ptr %second, ptr %second, align 8
  %p = load ptr, ptr %second, align 8
  %first = getelementptr inbounds i64, ptr %p, i64 -1
  store i64 7, ptr %first, align 8
  %v = load i64, ptr %keep, align 8
  ret i64 %v
}
