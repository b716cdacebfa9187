; Values called as the flag of another one, and as a part of it.
define i32 @f(i32 %x, i1 %x.poison, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s1, %loop ]
  %s.poison = phi i1 [ false, %entry ], [ %s.poison1, %loop ]
  %s.1 = phi i32 [ 7, %entry ], [ %s.11, %loop ]
  %s1 = add nsw i32 %s, 3
  %s.poison1 = xor i1 %s.poison, true
  %s.11 = add i32 %s.1, %i
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  %z = zext i1 %s.poison1 to i32
  %r = add i32 %s1, %z
  %q = add i32 %r, %s.11
  ret i32 %q
}
