; A quotient by a power of two is the product with its reciprocal, and its sign goes where it costs nothing.
define double @f(double noundef %x, double noundef %y, ptr noundef %p, i32 noundef %n) {
entry:
  %q = fdiv double %x, 1.280000e+02
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %minus = fneg double %q
  %r = fmul double %minus, %y
  store double %r, ptr %p, align 8
  %next = add i32 %i, 1
  %go = icmp ne i32 %next, %n
  br i1 %go, label %loop, label %end

end:
  ret double %q
}
