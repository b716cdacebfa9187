; Two loops, the inner one with the row's start computed in every round.
define i64 @total(ptr noundef %p, i64 noundef %rows, i64 noundef %width) {
entry:
  br label %outer

outer:
  %r = phi i64 [ 0, %entry ], [ %r1, %latch ]
  %s = phi i64 [ 0, %entry ], [ %t, %latch ]
  %c = icmp ult i64 %r, %rows
  br i1 %c, label %inner, label %done

inner:
  %i = phi i64 [ 0, %outer ], [ %i1, %body ]
  %t = phi i64 [ %s, %outer ], [ %u, %body ]
  %d = icmp ult i64 %i, %width
  br i1 %d, label %body, label %latch

body:
  %x = add i64 %r, %width
  %y = add i64 %x, %i
  %a = getelementptr i64, ptr %p, i64 %y
  %v = load i64, ptr %a, align 8
  %u = add i64 %t, %v
  %i1 = add i64 %i, 1
  br label %inner

latch:
  %r1 = add i64 %r, 1
  br label %outer

done:
  ret i64 %s
}
