define double @f(double noundef %x, double noundef %y, ptr noundef %p, i32 noundef %n) {
entry:
  %q = fmul double %x, 7.812500e-03
  %minus = fmul double %x, -7.812500e-03
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %r = fmul double %minus, %y
  store double %r, ptr %p, align 8
  %next = add i32 %i, 1
  %go = icmp ne i32 %next, %n
  br i1 %go, label %loop, label %end

end:
  ret double %q
}
