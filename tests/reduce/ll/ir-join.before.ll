define i32 @f(i32 %x) {
entry:
  %y = add i32 %x, 1
  br label %a

a:
  %z = add i32 %y, 1
  br label %b

b:
  %r = phi i32 [ %z, %a ]
  ret i32 %r
}
