define internal i32 @sum(ptr noundef %p, i32 noundef %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi i32 [ 0, %entry ], [ %more, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %done
body:
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  %more = add i32 %s, %v
  %next = add i32 %i, 1
  br label %head
done:
  %neg = icmp slt i32 %s, 0
  br i1 %neg, label %no, label %yes
no:
  ret i32 0
yes:
  ret i32 %s
}
define i32 @twice(ptr noundef %p, i32 noundef %n) {
  %s = call i32 @sum(ptr noundef %p, i32 noundef %n)
  %r = add i32 %s, %s
  ret i32 %r
}
