; Addresses that are a step further whichever way control came.
define i32 @bytes(ptr noundef %p, ptr noundef %end) {
entry:
  %first = getelementptr inbounds i8, ptr %p, i64 1
  %v = load i8, ptr %p, align 1
  %w = zext i8 %v to i32
  br label %head

head:
  %sum = phi i32 [ %w, %entry ], [ %more, %body ]
  %at = phi ptr [ %first, %entry ], [ %next, %body ]
  %out = icmp uge ptr %at, %end
  br i1 %out, label %done, label %body

body:
  %next = getelementptr inbounds i8, ptr %at, i64 1
  %b = load i8, ptr %at, align 1
  %c = zext i8 %b to i32
  %more = add i32 %sum, %c
  br label %head

done:
  ret i32 %sum
}
