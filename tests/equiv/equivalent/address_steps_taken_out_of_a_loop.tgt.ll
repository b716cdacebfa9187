declare i32 @g(i32 noundef)

define void @f(ptr noundef %p, i32 noundef %n) {
entry:
  %q = getelementptr inbounds i8, ptr %p, i64 132
  %s = getelementptr inbounds i8, ptr %p, i64 140
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = load i32, ptr %q, align 4
  %set = icmp ne i32 %v, 0
  br i1 %set, label %body, label %latch

body:
  %w = load i32, ptr %s, align 4
  %x = call i32 @g(i32 noundef %w)
  br label %latch

latch:
  %next = add i32 %i, 1
  %go = icmp ne i32 %next, %n
  br i1 %go, label %loop, label %end

end:
  ret void
}
