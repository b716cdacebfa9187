; Behind the comparison the dividend has no sign, so that its quotient is the one of numbers without sign.
define i32 @f(i32 noundef %x) {
  %above = icmp sge i32 %x, 15
  br i1 %above, label %long, label %end

long:
  %rest = sub nsw i32 %x, 15
  %more = sdiv i32 %rest, 255
  %one = add nsw i32 1, %more
  %sum = add nsw i32 %x, %one
  br label %end

end:
  %r = phi i32 [ %sum, %long ], [ %x, %0 ]
  ret i32 %r
}
