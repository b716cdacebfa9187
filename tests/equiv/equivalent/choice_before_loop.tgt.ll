
define i64 @f(i32 %kind, i64 %few, ptr %bytes) {
entry:
  %one = icmp ne i32 %kind, 0
  %times = select i1 %one, i32 7, i32 9
  %wide = zext i32 %times to i64
  %most = select i1 %one, i64 %few, i64 %wide
  br label %head

head:                                             ; preds = %body, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %more, %body ]
  %in = icmp ult i64 %i, %most
  br i1 %in, label %body, label %done

body:                                             ; preds = %head
  %more = xor i64 %sum, %most
  %next = add i64 %i, 1
  br label %head

done:                                             ; preds = %head
  %sum.lcssa = phi i64 [ %sum, %head ]
  ret i64 %sum.lcssa
}
