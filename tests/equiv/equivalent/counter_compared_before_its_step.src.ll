; The counter is compared before its step, and only what comes of the step is left in the loop.
define i32 @f(ptr noundef %p, i32 noundef %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %left = phi i32 [ %n, %entry ], [ %less, %latch ]
  %less = add nsw i32 %left, -1
  %go = icmp sgt i32 %left, 0
  br i1 %go, label %body, label %end

body:
  %at = sext i32 %i to i64
  %q = getelementptr inbounds i8, ptr %p, i64 %at
  %v = load i8, ptr %q
  %found = icmp ne i8 %v, -1
  br i1 %found, label %end, label %latch

latch:
  %next = add nsw i32 %i, 4
  br label %loop

end:
  %r = phi i32 [ 0, %loop ], [ 1, %body ]
  ret i32 %r
}
