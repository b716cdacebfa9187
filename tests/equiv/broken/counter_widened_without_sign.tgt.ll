declare void @g(i64, i64)

; It is one of 64 bits, whose sign is lost.
define void @counted(i32 noundef %from, i32 noundef %to) {
entry:
  %first = zext i32 %from to i64
  %end = zext i32 %to to i64
  br label %head

head:
  %iv = phi i64 [ %first, %entry ], [ %iv.next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %more, %body ]
  %going = icmp ne i64 %iv, %end
  br i1 %going, label %body, label %done

body:
  call void @g(i64 noundef %iv, i64 noundef %sum)
  %more = add i64 %sum, %iv
  %iv.next = add nsw i64 %iv, 1
  br label %head

done:
  ret void
}
