define i32 @f(ptr noundef %p, i32 noundef %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %body, label %end

latch:
  %less = add nsw i32 %left, -1
  %next = add nuw nsw i64 %i, 4
  %go = icmp sgt i32 %left, 0
  br i1 %go, label %body, label %end

body:
  %i = phi i64 [ %next, %latch ], [ 0, %entry ]
  %left = phi i32 [ %less, %latch ], [ %n, %entry ]
  %q = getelementptr inbounds i8, ptr %p, i64 %i
  %v = load i8, ptr %q
  %same = icmp eq i8 %v, -1
  br i1 %same, label %latch, label %end

end:
  %r = phi i32 [ 0, %entry ], [ 1, %body ], [ 0, %latch ]
  ret i32 %r
}
