; What a source gives memory in one step is no poison, as what it stores is none.
define i64 @expires(ptr noundef %p, i64 noundef %now, i64 noundef %delay) {
  %at = add nsw i64 %now, %delay
  %both = cmpxchg ptr %p, i64 0, i64 %at acq_rel acquire, align 8
  %old = extractvalue { i64, i1 } %both, 0
  ret i64 %old
}

define i64 @added(ptr noundef %p, i64 noundef %a) {
  %twice = shl nsw i64 %a, 1
  %old = atomicrmw add ptr %p, i64 %twice seq_cst, align 8
  ret i64 %old
}
