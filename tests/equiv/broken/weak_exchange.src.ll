define i1 @found_is_not_done(ptr noundef %p) {
  %pair = cmpxchg weak ptr %p, i32 3, i32 5 acq_rel monotonic, align 4
  %ok = extractvalue { i32, i1 } %pair, 1
  ret i1 %ok
}
