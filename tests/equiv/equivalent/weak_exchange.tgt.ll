define i32 @until_it_succeeds(ptr noundef %p) {
entry:
  %first = load atomic i32, ptr %p monotonic, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %again ]
  %new = shl i32 %old, 1
  %pair = cmpxchg weak ptr %p, i32 %old, i32 %new acq_rel monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %done, label %again
again:
  call void @llvm.x86.sse2.pause()
  br label %loop
done:
  ret i32 %old
}

declare void @llvm.x86.sse2.pause()
