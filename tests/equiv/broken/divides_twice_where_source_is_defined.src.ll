; Where both differences are zero the source is defined; the target divides by zero, in two places.
define i32 @f(i32 noundef %a, i32 noundef %b) {
  %az = icmp eq i32 %a, 305419896
  %bz = icmp eq i32 %b, 305419897
  %one = xor i1 %az, %bz
  br i1 %one, label %bad, label %good
bad:
  unreachable
good:
  ret i32 0
}
