define i32 @f(i1 %c) {
entry:
  ret i32 0

a:
  br label %b

b:
  %x = phi i32  [ 2, %a ]
  ret i32 %x
}
; ----
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b

a:
  ret i32 0

b:
  %x = phi i32 [ 1, %entry ]
  ret i32 %x
}
; ----
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b

a:
  br label %b

b:
  %x = phi i32 [ 1, %entry ], [ 2, %a ]
  ret i32 0
}
; ----
; all that go together
define i32 @f(i1 %c) {
entry:
  ret i32 0

a:
  br label %b

b:
  %x = phi i32  [ 2, %a ]
  ret i32 0
}
