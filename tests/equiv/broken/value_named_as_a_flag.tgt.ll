; It may be 1.
define i32 @f(i32 %x, i32 %n, i1 %b) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %x, %entry ], [ %s.next, %loop ]
  %s.poison = phi i1 [ false, %entry ], [ %s.poison.next, %loop ]
  %s.next = add nsw i32 %s, 3
  %s.poison.next = xor i1 %s.poison, %b
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  %r = add i32 0, 2
  ret i32 %r
}
