define i32 @f(i1 noundef %c, i32 noundef %x) {
entry:
  %s = alloca i32, align 4
  br i1 %c, label %set, label %done
set:
  store i32 %x, ptr %s, align 4
  br label %done
done:
  %r = load i32, ptr %s, align 4
  ret i32 %r
}
