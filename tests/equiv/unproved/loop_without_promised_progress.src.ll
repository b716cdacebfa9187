; Nothing promises that it has an end.
define i64 @total(ptr noundef %p, i32 noundef %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi i64 [ 0, %entry ], [ %t, %body ]
  %more = icmp ule i32 %i, %n
  br i1 %more, label %body, label %done

body:
  %wide = zext i32 %i to i64
  %a = getelementptr i64, ptr %p, i64 %wide
  %v = load i64, ptr %a, align 8
  store i64 %s, ptr %a, align 8
  %t = add i64 %s, %v
  %next = add i32 %i, 1
  br label %head

done:
  ret i64 %s
}
