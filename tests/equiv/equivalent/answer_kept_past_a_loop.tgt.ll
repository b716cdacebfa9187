declare i32 @value()
declare void @use(i32 noundef)

define i32 @asked_later(i32 noundef %n, i1 noundef %some) {
entry:
  br i1 %some, label %work, label %join
work:
  %v = call noundef i32 @value()
  %b = icmp ugt i32 %v, 42
  br label %join
join:
  %big = phi i1 [ false, %entry ], [ %b, %work ]
  br label %loop
loop:
  %i = phi i32 [ 0, %join ], [ %next, %loop ]
  call void @use(i32 noundef %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = zext i1 %big to i32
  ret i32 %r
}
