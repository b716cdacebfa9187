; Where an index is known to lie in a table, a step to it stays in bounds.
@table = internal unnamed_addr constant [4 x i32] [i32 33, i32 2, i32 5, i32 1], align 4

define i32 @chosen(i32 %c) {
entry:
  %known = icmp ult i32 %c, 4
  br i1 %known, label %look, label %other

look:
  %at = getelementptr inbounds [4 x i32], ptr @table, i64 0, i32 %c
  %r = load i32, ptr %at, align 4
  ret i32 %r

other:
  ret i32 0
}
