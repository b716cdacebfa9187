define i32 @f() {
entry:
  br label %b


b:
  %x = phi i32 [ 1, %entry ]
  ret i32 %x
}
; ----
; all that go together
define i32 @f() {
entry:
  br label %b


b:
  %x = phi i32 [ 1, %entry ]
  ret i32 %x
}
