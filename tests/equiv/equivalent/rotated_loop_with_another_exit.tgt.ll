define i32 @last_that_is_set(ptr noundef %p) {
  %1 = call i64 @state()
  %2 = icmp eq i64 %1, 81985529216486895
  br i1 %2, label %3, label %.out

3:
  br label %4

4:
  %5 = phi i32 [ 18, %3 ], [ %11, %10 ]
  %6 = sext i32 %5 to i64
  %7 = getelementptr inbounds i16, ptr %p, i64 %6
  %8 = load i16, ptr %7, align 2
  %9 = icmp ne i16 %8, 0
  br i1 %9, label %.out, label %10

10:
  %11 = add nsw i32 %5, -1
  %12 = icmp sge i32 %11, 3
  br i1 %12, label %4, label %.out

.out:
  %13 = phi i32 [ %5, %4 ], [ %11, %10 ], [ 0, %0 ]
  ret i32 %13
}

declare i64 @state()
