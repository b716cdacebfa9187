; The same under other names.
define i32 @f(i32 %x, i1 %q2, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s1, %loop ]
  %t = phi i1 [ false, %entry ], [ %t2, %loop ]
  %u = phi i32 [ 7, %entry ], [ %u2, %loop ]
  %s1 = add nsw i32 %s, 3
  %t2 = xor i1 %t, true
  %u2 = add i32 %u, %i
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  %z = zext i1 %t2 to i32
  %r = add i32 %s1, %z
  %q = add i32 %r, %u2
  ret i32 %q
}
