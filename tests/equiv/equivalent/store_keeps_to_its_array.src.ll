; A store into an array, wherever its index leads, leaves what lies beside the array as it is: a load moves ahead of the loop.
declare void @fill(ptr, ptr)

define i64 @f(ptr %bytes) {
entry:
  %n = alloca i64, align 8
  %counts = alloca [18 x i32], align 16
  call void @fill(ptr %n, ptr %counts)
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %end = load i64, ptr %n, align 8
  %more = icmp ult i64 %i, %end
  br i1 %more, label %body, label %done

body:
  %at = getelementptr inbounds i8, ptr %bytes, i64 %i
  %byte = load i8, ptr %at, align 1
  %which = zext i8 %byte to i64
  %count = getelementptr inbounds [18 x i32], ptr %counts, i64 0, i64 %which
  store i32 1, ptr %count, align 4
  %next = add i64 %i, 1
  br label %head

done:
  ret i64 %i
}
