define i32 @twice(ptr noundef %p, i32 noundef %n) {
entry:
  br label %head.i
head.i:
  %i.i = phi i32 [ 0, %entry ], [ %next.i, %body.i ]
  %s.i = phi i32 [ 0, %entry ], [ %more.i, %body.i ]
  %c.i = icmp slt i32 %i.i, %n
  br i1 %c.i, label %body.i, label %sum.exit
body.i:
  %at.i = getelementptr i32, ptr %p, i32 %i.i
  %v.i = load i32, ptr %at.i
  %more.i = add i32 %s.i, %v.i
  %next.i = add i32 %i.i, 1
  br label %head.i
sum.exit:
  %max = call i32 @llvm.smax.i32(i32 %s.i, i32 0)
  %r = shl i32 %s.i, 1
  ret i32 %r
}
declare i32 @llvm.smax.i32(i32, i32)
