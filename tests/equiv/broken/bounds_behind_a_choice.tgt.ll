; Poison decides there.
define i1 @below(ptr %a, ptr %b) {
  %last = getelementptr inbounds i8, ptr %a, i64 -1
  %above = icmp ugt ptr %last, %b
  ret i1 %above
}
