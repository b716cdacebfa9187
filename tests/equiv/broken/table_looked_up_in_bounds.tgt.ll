; The index may lie behind the table.
@table = internal unnamed_addr constant [4 x i32] [i32 33, i32 2, i32 5, i32 1], align 4

define i32 @chosen(i32 %c) {
entry:
  %known = icmp ult i32 %c, 5
  br i1 %known, label %look, label %other

look:
  %at = getelementptr inbounds [4 x i32], ptr @table, i64 0, i32 %c
  %r = load i32, ptr %at, align 4
  ret i32 %r

other:
  ret i32 0
}
