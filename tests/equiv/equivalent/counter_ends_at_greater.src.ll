declare void @g(i64, i32)

; A counter of 32 bits that goes on while it is below a number, which may be negative.
define void @counted(i32 %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done

body:
  %wide = sext i32 %i to i64
  call void @g(i64 noundef %wide, i32 noundef %n)
  %next = add nsw i32 %i, 1
  br label %head

done:
  ret void
}
