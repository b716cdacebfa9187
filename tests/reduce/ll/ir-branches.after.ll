define i32 @f(i1 %c) {
entry:
  br label %a

a:
  br label %b

b:
  %x = phi i32  [ 2, %a ]
  ret i32 %x
}
; ----
define i32 @f(i1 %c) {
entry:
  br label %b

a:
  br label %b

b:
  %x = phi i32 [ 1, %entry ], [ 2, %a ]
  ret i32 %x
}
; ----
; all that go together
define i32 @f(i1 %c) {
entry:
  br label %a

a:
  br label %b

b:
  %x = phi i32  [ 2, %a ]
  ret i32 %x
}
