define i32 @f(i32 %x) {
entry:
  %y = add i32 %x, 1
  %z = add i32 %y, 1
  br label %b


b:
  %r = phi i32 [ %z, %entry ]
  ret i32 %r
}
; ----
; all that go together
define i32 @f(i32 %x) {
entry:
  %y = add i32 %x, 1
  %z = add i32 %y, 1
  br label %b


b:
  %r = phi i32 [ %z, %entry ]
  ret i32 %r
}
