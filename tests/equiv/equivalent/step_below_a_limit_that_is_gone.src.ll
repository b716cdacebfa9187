; The limit is loaded anew in each round. Behind the inner loop nothing is left of it, but that the counter was below it,
; so that a step more does not wrap.
declare void @g(i64 noundef, i64 noundef)

define i64 @f(ptr noundef %n, i64 noundef %m) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %limit = load i64, ptr %n
  %go = icmp ult i64 %i, %limit
  br i1 %go, label %inner, label %end

inner:
  %j = phi i64 [ 0, %loop ], [ %k, %inner ]
  call void @g(i64 noundef %i, i64 noundef %j)
  %k = add i64 %j, 1
  %more = icmp ne i64 %k, %m
  br i1 %more, label %inner, label %latch

latch:
  %next = add i64 %i, 1
  br label %loop

end:
  ret i64 %i
}
