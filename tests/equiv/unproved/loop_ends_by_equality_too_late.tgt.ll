; One round too many.
define i64 @sum(ptr noundef %p, i32 noundef %n) {
entry:
  %never = icmp slt i32 %n, 0
  br i1 %never, label %done, label %before

before:
  %m = add nuw i32 %n, 2
  %rounds = zext i32 %m to i64
  br label %body

body:
  %i = phi i64 [ 0, %before ], [ %next, %body ]
  %s = phi i64 [ 0, %before ], [ %t, %body ]
  %a = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %a, align 8
  %t = add i64 %s, %v
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %rounds
  br i1 %end, label %done, label %body

done:
  %r = phi i64 [ 0, %entry ], [ %t, %body ]
  ret i64 %r
}
