define i32 @f(ptr noundef %p, i32 noundef %n) {
entry:
  %low = and i32 %n, 1
  %even = icmp eq i32 %low, 0
  br i1 %even, label %start, label %end

start:
  %half = ashr exact i32 %n, 1
  %some = icmp sgt i32 %half, 3
  br i1 %some, label %before, label %end

before:
  %limit = add nsw i32 %half, 0
  %wide = zext i32 %limit to i64
  br label %body

body:
  %i = phi i64 [ 2, %before ], [ %next, %body ]
  %sum = phi i32 [ 0, %before ], [ %more, %body ]
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %q, align 4
  %more = add i32 %v, %sum
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, %wide
  br i1 %over, label %end, label %body

end:
  %r = phi i32 [ 7, %entry ], [ 0, %start ], [ %more, %body ]
  ret i32 %r
}
