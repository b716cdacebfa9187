; Where both are the same the source answers without looking at the byte below, which may lie in no object.
define i1 @below(ptr %a, ptr %b) {
  %differ = icmp ne ptr %a, %b
  %last = getelementptr inbounds i8, ptr %a, i64 -1
  %above = icmp ugt ptr %last, %b
  %both = select i1 %differ, i1 %above, i1 false
  ret i1 %both
}
