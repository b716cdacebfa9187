; The target keeps the answer to a comparison where the source keeps the number.
declare i32 @g(i32 noundef)

define i32 @f(i32 noundef %x, i32 noundef %n, i32 noundef %low) {
entry:
  %first = mul i32 %x, %n
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %less, %latch ]
  %v = phi i32 [ %first, %entry ], [ %w, %latch ]
  %above = icmp sgt i32 %i, %low
  br i1 %above, label %test, label %end

test:
  %one = icmp eq i32 %v, 1
  br i1 %one, label %body, label %end

body:
  %less = sub nsw i32 %i, 1
  %w = call i32 @g(i32 noundef %less)
  %other = icmp ne i32 %w, 1
  br i1 %other, label %end, label %latch

latch:
  br label %loop

end:
  ret i32 %i
}
