
define i64 @f(i64 %limit, ptr %p) {
entry:
  %low = and i64 %limit, 7
  %start = add i64 %low, 1
  br label %head

head:                                             ; preds = %body, %entry
  %left = phi i64 [ %start, %entry ], [ %next, %body ]
  %i = phi i64 [ 0, %entry ], [ %more, %body ]
  %next = add nsw i64 %left, -1
  %go = icmp ne i64 %next, 0
  br i1 %go, label %body, label %done

body:                                             ; preds = %head
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 1, ptr %at, align 1
  %more = add i64 %i, 1
  br label %head

done:                                             ; preds = %head
  %i.lcssa = phi i64 [ %i, %head ]
  ret i64 %i.lcssa
}
