define i32 @f(i1 noundef %c, i32 noundef %x) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %u = phi i32 [ undef, %entry ], [ %x, %a ]
  br label %c1
c1:
  %r = and i32 %u, 1
  ret i32 %r
}
