; The test of a loop that is also left from within its body moves to its end. No run on chance inputs comes to the loop, and the
; numbers that blocks go by are those of others on the other side.
define i32 @last_that_is_set(ptr noundef %p) {
  %1 = call i64 @state()
  %2 = icmp eq i64 %1, 81985529216486895
  br i1 %2, label %3, label %14

3:
  br label %4

4:
  %5 = phi i32 [ 18, %3 ], [ %13, %12 ]
  %6 = icmp sge i32 %5, 3
  br i1 %6, label %7, label %14

7:
  %8 = sext i32 %5 to i64
  %9 = getelementptr inbounds i16, ptr %p, i64 %8
  %10 = load i16, ptr %9, align 2
  %11 = icmp ne i16 %10, 0
  br i1 %11, label %14, label %12

12:
  %13 = add nsw i32 %5, -1
  br label %4

14:
  %15 = phi i32 [ %5, %7 ], [ %5, %4 ], [ 0, %0 ]
  ret i32 %15
}

declare i64 @state()
