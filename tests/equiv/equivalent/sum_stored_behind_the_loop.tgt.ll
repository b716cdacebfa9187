; The loop keeps it in a variable and stores it at its end.
@table = internal constant [4 x i32] [i32 33, i32 2, i32 5, i32 1], align 4

define void @total(ptr noundef %to) {
entry:
  store i32 0, ptr %to, align 4
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %i
  %x = load i32, ptr %p, align 4
  %more = xor i32 %sum, %x
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 4
  br i1 %again, label %loop, label %done

done:
  store i32 %more, ptr %to, align 4
  ret void
}
