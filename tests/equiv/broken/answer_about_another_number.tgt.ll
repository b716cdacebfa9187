declare i32 @g(i32 noundef)

define i32 @f(i32 noundef %x, i32 noundef %n, i32 noundef %low) {
entry:
  %first = mul i32 %x, %n
  %begun = icmp eq i32 %first, 2
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %less, %body ]
  %one = phi i1 [ %begun, %entry ], [ true, %body ]
  %above = icmp sgt i32 %i, %low
  %go = select i1 %above, i1 %one, i1 false
  br i1 %go, label %body, label %end

body:
  %less = add nsw i32 %i, -1
  %w = call i32 @g(i32 noundef %less)
  %same = icmp eq i32 %w, 1
  br i1 %same, label %loop, label %end

end:
  ret i32 %i
}
