; A product, a shift, a mask and a complement that each round computes anew.
define i64 @total(ptr noundef %p, i64 noundef %n, i64 noundef %rows, i64 noundef %width, i64 noundef %bits) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %i1, %body ]
  %s = phi i64 [ 0, %entry ], [ %u, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %done

body:
  %product = mul i64 %rows, %width
  %amount = and i64 %bits, 31
  %shifted = lshr i64 %product, %amount
  %mask = xor i64 %bits, -1
  %row = and i64 %shifted, %mask
  %y = add i64 %row, %i
  %a = getelementptr i64, ptr %p, i64 %y
  %v = load i64, ptr %a, align 8
  %u = add i64 %s, %v
  %i1 = add i64 %i, 1
  br label %head

done:
  ret i64 %s
}
