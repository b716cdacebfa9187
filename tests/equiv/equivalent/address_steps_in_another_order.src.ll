; What lies between two addresses of an object is of it too: a step by a constant may come before one that only goes up.
define i16 @field_first(ptr noundef %p, i8 noundef %i) {
  %n = zext i8 %i to i64
  %a = getelementptr inbounds i8, ptr %p, i64 2748
  %b = getelementptr inbounds [39 x i32], ptr %a, i64 0, i64 %n
  %c = getelementptr inbounds i8, ptr %b, i64 2
  %v = load i16, ptr %c, align 2
  ret i16 %v
}

define i32 @out_of_the_loop(ptr noundef %p, ptr noundef %which) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = getelementptr i8, ptr %which, i64 %k
  %i = load i8, ptr %at, align 1
  %n = zext i8 %i to i64
  %a = getelementptr inbounds i8, ptr %p, i64 2748
  %b = getelementptr inbounds [39 x i32], ptr %a, i64 0, i64 %n
  %c = getelementptr inbounds i8, ptr %b, i64 2
  %v = load i16, ptr %c, align 2
  %w = zext i16 %v to i32
  %more = add i32 %sum, %w
  %next = add i64 %k, 1
  %go = icmp ult i64 %next, 19
  br i1 %go, label %loop, label %done
done:
  ret i32 %more
}
