; A difference in place of the sum.
define i64 @total(ptr noundef %p, i64 noundef %rows, i64 noundef %width) {
entry:
  br label %outer

outer:
  %r = phi i64 [ 0, %entry ], [ %r1, %latch ]
  %s = phi i64 [ 0, %entry ], [ %t, %latch ]
  %c = icmp ult i64 %r, %rows
  br i1 %c, label %row, label %done

row:
  %x = sub i64 %r, %width
  br label %inner

inner:
  %i = phi i64 [ 0, %row ], [ %i1, %body ]
  %t = phi i64 [ %s, %row ], [ %u, %body ]
  %d = icmp ult i64 %i, %width
  br i1 %d, label %body, label %latch

body:
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
