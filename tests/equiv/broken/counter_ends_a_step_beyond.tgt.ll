; Where the last round began, not where the counter ended.
define i32 @f(ptr noundef %p) {
entry:
  br label %head

head:
  %i = phi i32 [ 18, %entry ], [ %next, %latch ]
  %more = icmp sge i32 %i, 3
  br i1 %more, label %body, label %end

body:
  %x = sext i32 %i to i64
  %q = getelementptr inbounds i8, ptr %p, i64 %x
  %v = load i8, ptr %q
  %found = icmp ne i8 %v, 0
  br i1 %found, label %done, label %latch

latch:
  %next = add nsw i32 %i, -1
  br label %head

end:
  br label %done

done:
  %out = phi i32 [ 3, %end ], [ %i, %body ]
  ret i32 %out
}
