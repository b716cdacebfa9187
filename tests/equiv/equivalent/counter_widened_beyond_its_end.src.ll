declare void @g(i64, i64)

; A counter of 32 bits that goes on until it equals a number below which it may have begun: behind the greatest number it
; is poison.
define void @counted(i32 noundef %from, i32 noundef %to) {
entry:
  br label %head

head:
  %sum = phi i64 [ 0, %entry ], [ %more, %body ]
  %i = phi i32 [ %from, %entry ], [ %next, %body ]
  %going = icmp ne i32 %i, %to
  br i1 %going, label %body, label %done

body:
  %wide = sext i32 %i to i64
  call void @g(i64 noundef %wide, i64 noundef %sum)
  %more = add i64 %sum, %wide
  %next = add nsw i32 %i, 1
  br label %head

done:
  ret void
}
