; The bound of a loop is decided ahead of it the wrong way round.
define i64 @f(i32 %kind, i64 %few, ptr %bytes) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %more, %body ]
  %one = icmp ne i32 %kind, 0
  %times = select i1 %one, i32 7, i32 9
  %wide = zext i32 %times to i64
  %most = select i1 %one, i64 %few, i64 %wide
  %in = icmp ult i64 %i, %most
  br i1 %in, label %body, label %done

body:
  %at = getelementptr inbounds i8, ptr %bytes, i64 %i
  %byte = load i8, ptr %at, align 1
  %more = xor i64 %sum, %most
  %next = add i64 %i, 1
  br label %head

done:
  ret i64 %sum
}
