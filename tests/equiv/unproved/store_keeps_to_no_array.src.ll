; A store by a pointer that the callee may have got from it leads to what is loaded: the load stays in the loop.
@last = external global ptr

declare void @fill(ptr, ptr)

define i64 @f(ptr %bytes) {
entry:
  %n = alloca i64, align 8
  %counts = alloca [18 x i32], align 16
  call void @fill(ptr %n, ptr %counts)
  %kept = load ptr, ptr @last, align 8
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
  %count = getelementptr inbounds i32, ptr %kept, i64 %which
  store i32 1, ptr %count, align 4
  %next = add i64 %i, 1
  br label %head

done:
  ret i64 %i
}
