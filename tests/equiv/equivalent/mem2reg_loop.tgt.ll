define i32 @sum(i32 noundef %n, i32 noundef %k) {
entry:
  br label %head
head:
  %i.0 = phi i32 [ 0, %entry ], [ %a3, %body ]
  %s.0 = phi i32 [ 0, %entry ], [ %b2, %body ]
  %c = icmp slt i32 %i.0, %n
  br i1 %c, label %body, label %done
body:
  %b2 = add i32 %s.0, %k
  %a3 = add nsw i32 %i.0, 1
  br label %head
done:
  ret i32 %s.0
}
