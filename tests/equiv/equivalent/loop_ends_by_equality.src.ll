; A loop that goes on while the counter is below a bound, as a front end writes it.
define i64 @sum(ptr noundef %p, i32 noundef %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi i64 [ 0, %entry ], [ %t, %body ]
  %c = icmp sle i32 %i, %n
  br i1 %c, label %body, label %done

body:
  %x = sext i32 %i to i64
  %a = getelementptr inbounds i64, ptr %p, i64 %x
  %v = load i64, ptr %a, align 8
  %t = add i64 %s, %v
  %next = add nsw i32 %i, 1
  br label %head

done:
  ret i64 %s
}
