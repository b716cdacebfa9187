; One more is one bit more.
declare void @pair(i64, i64)

define void @pairs(i64 noundef %n) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ne i64 %i, %n
  br i1 %more, label %body, label %done

body:
  %second = or disjoint i64 %i, 1
  call void @pair(i64 noundef %i, i64 noundef %second)
  %next = add i64 %i, 2
  br label %head

done:
  ret void
}
