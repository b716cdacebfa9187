define i32 @sum(i32 noundef %n, i32 noundef %k) {
entry:
  %s = alloca i32, align 4
  %i = alloca i32, align 4
  store i32 0, ptr %s, align 4
  store i32 0, ptr %i, align 4
  br label %head
head:
  %a = load i32, ptr %i, align 4
  %c = icmp slt i32 %a, %n
  br i1 %c, label %body, label %done
body:
  %b = load i32, ptr %s, align 4
  %b2 = add i32 %b, %k
  store i32 %b2, ptr %s, align 4
  %a2 = load i32, ptr %i, align 4
  %a3 = add nsw i32 %a2, 1
  store i32 %a3, ptr %i, align 4
  br label %head
done:
  %r = load i32, ptr %s, align 4
  ret i32 %r
}
