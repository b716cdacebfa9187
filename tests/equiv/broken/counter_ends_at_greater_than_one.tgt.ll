declare void @g(i64, i32)
declare i32 @llvm.smax.i32(i32, i32)

define void @counted(i32 %n) {
entry:
  %smax = call i32 @llvm.smax.i32(i32 %n, i32 1)
  %end = zext i32 %smax to i64
  br label %head

head:
  %iv = phi i64 [ 0, %entry ], [ %iv.next, %body ]
  %more = icmp ne i64 %iv, %end
  br i1 %more, label %body, label %done

body:
  call void @g(i64 noundef %iv, i32 noundef %n)
  %iv.next = add nuw nsw i64 %iv, 1
  br label %head

done:
  ret void
}
