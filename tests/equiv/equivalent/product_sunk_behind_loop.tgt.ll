; Computed behind it.
define i64 @size(ptr noundef %t) {
entry:
  %c = getelementptr inbounds i8, ptr %t, i64 16
  %count = load i32, ptr %c, align 8
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %s = phi i64 [ 0, %entry ], [ %s1, %body ]
  %more = icmp ult i32 %i, 8
  br i1 %more, label %body, label %done

body:
  %k = zext i32 %i to i64
  %a = getelementptr inbounds i64, ptr %t, i64 %k
  %v = load i64, ptr %a, align 8
  %s1 = add i64 %s, %v
  %i1 = add i32 %i, 1
  br label %head

done:
  %wide = zext i32 %count to i64
  %bytes = shl nuw nsw i64 %wide, 4
  %header = add nuw nsw i64 %bytes, 56
  %all = add i64 %header, %s
  ret i64 %all
}
