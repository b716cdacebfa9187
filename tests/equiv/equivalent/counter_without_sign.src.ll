; How often a number can be shortened by a byte.
define i32 @bytes(i32 noundef %x) {
entry:
  br label %head

head:
  %n = phi i32 [ 0, %entry ], [ %m, %body ]
  %v = phi i32 [ %x, %entry ], [ %w, %body ]
  %c = icmp ugt i32 %v, 255
  br i1 %c, label %body, label %done

body:
  %m = add nsw i32 %n, 8
  %w = lshr i32 %v, 8
  br label %head

done:
  ret i32 %n
}
