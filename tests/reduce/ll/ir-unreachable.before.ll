define i32 @f() {
entry:
  br label %b

a:
  %y = add i32 1, 2
  br label %b

b:
  %x = phi i32 [ 1, %entry ], [ %y, %a ]
  ret i32 %x
}
