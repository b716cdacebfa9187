; The same, but only the target says that sums do not wrap.
define i32 @count(ptr noundef %list, i32 noundef %key) {
entry:
  %p = alloca ptr, align 8
  %n = alloca i32, align 4
  store ptr %list, ptr %p, align 8
  store i32 0, ptr %n, align 4
  br label %head

head:
  %at = load ptr, ptr %p, align 8
  %item = load i32, ptr %at, align 4
  %more = icmp ne i32 %item, 0
  br i1 %more, label %body, label %exit

body:
  %same = icmp eq i32 %item, %key
  br i1 %same, label %found, label %next

found:
  %old = load i32, ptr %n, align 4
  %new = add i32 %old, 1
  store i32 %new, ptr %n, align 4
  br label %next

next:
  %here = load ptr, ptr %p, align 8
  %step = getelementptr inbounds i32, ptr %here, i64 1
  store ptr %step, ptr %p, align 8
  br label %head

exit:
  %sum = load i32, ptr %n, align 4
  ret i32 %sum
}
