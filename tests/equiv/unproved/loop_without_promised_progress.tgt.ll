; No round of 2 to the power of 32.
define i64 @total(ptr noundef %p, i32 noundef %n) {
entry:
  %rounds = add i32 %n, 1
  %end = zext i32 %rounds to i64
  br label %head

head:
  %iv = phi i64 [ 0, %entry ], [ %iv.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %t, %body ]
  %more = icmp ne i64 %iv, %end
  br i1 %more, label %body, label %done

body:
  %a = getelementptr i64, ptr %p, i64 %iv
  %v = load i64, ptr %a, align 8
  store i64 %s, ptr %a, align 8
  %t = add i64 %s, %v
  %iv.next = add nuw nsw i64 %iv, 1
  br label %head

done:
  ret i64 %s
}
