; A weak exchange may fail though it finds what it expects: on both sides alike.
define i32 @until_it_succeeds(ptr noundef %p) {
entry:
  %first = load atomic i32, ptr %p monotonic, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %again ]
  %new = add i32 %old, %old
  %pair = cmpxchg weak ptr %p, i32 %old, i32 %new acq_rel monotonic, align 4
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %done, label %again
again:
  %found = extractvalue { i32, i1 } %pair, 0
  call void @llvm.x86.sse2.pause()
  br label %loop
done:
  ret i32 %old
}

declare void @llvm.x86.sse2.pause()
