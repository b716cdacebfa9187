; Half of an even number is a shift, and the limit of the loop is made of it. Neither side keeps the half itself.
define i32 @f(ptr noundef %p, i32 noundef %n) {
entry:
  %rest = srem i32 %n, 2
  %even = icmp eq i32 %rest, 0
  br i1 %even, label %loop, label %end

loop:
  %i = phi i32 [ 2, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %half = sdiv i32 %n, 2
  %limit = sub nsw i32 %half, 1
  %go = icmp slt i32 %i, %limit
  br i1 %go, label %body, label %end

body:
  %at = sext i32 %i to i64
  %q = getelementptr inbounds i32, ptr %p, i64 %at
  %v = load i32, ptr %q, align 4
  %more = add i32 %sum, %v
  %next = add nsw i32 %i, 1
  br label %loop

end:
  %r = phi i32 [ 7, %entry ], [ %sum, %loop ]
  ret i32 %r
}
