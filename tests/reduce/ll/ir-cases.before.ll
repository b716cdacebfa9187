define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %d [
    i32 0, label %a
    i32 1, label %d
  ]

a:
  br label %d

d:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 2, %a ]
  ret i32 %r
}
