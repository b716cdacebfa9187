; The step is made at the head.
define i32 @bytes(ptr noundef %p, ptr noundef %end) {
entry:
  %v = load i8, ptr %p, align 1
  %w = zext i8 %v to i32
  br label %head

head:
  %sum = phi i32 [ %w, %entry ], [ %more, %body ]
  %from = phi ptr [ %p, %entry ], [ %at, %body ]
  %at = getelementptr inbounds i8, ptr %from, i64 1
  %out = icmp uge ptr %at, %end
  br i1 %out, label %done, label %body

body:
  %b = load i8, ptr %at, align 1
  %c = zext i8 %b to i32
  %more = add i32 %sum, %c
  br label %head

done:
  ret i32 %sum
}
