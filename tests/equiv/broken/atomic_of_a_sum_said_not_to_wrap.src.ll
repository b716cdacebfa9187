; The target says of a sum that it does not wrap, and gives it to memory.
define i64 @expires(ptr noundef %p, i64 noundef %now, i64 noundef %delay) {
  %at = add i64 %now, %delay
  %both = cmpxchg ptr %p, i64 0, i64 %at acq_rel acquire, align 8
  %old = extractvalue { i64, i1 } %both, 0
  ret i64 %old
}

define i64 @added(ptr noundef %p, i64 noundef %a) {
  %twice = shl i64 %a, 1
  %old = atomicrmw add ptr %p, i64 %twice seq_cst, align 8
  ret i64 %old
}
