define i32 @f(i1 %a, i32 %b) {
f:
  br i1 %a, label %c, label %d

c:
  br label %d

d:
  %e = phi i32 [ %b, %f ], [ 7, %c ]
  ret i32 %e
}
; ----
; all that go together
define i32 @f(i1 %a, i32 %b) {
f:
  br i1 %a, label %c, label %d

c:
  br label %d

d:
  %e = phi i32 [ %b, %f ], [ 7, %c ]
  ret i32 %e
}
