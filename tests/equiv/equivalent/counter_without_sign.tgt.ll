; The same with the test behind the body, where the counter is known not to be negative.
define i32 @bytes(i32 noundef %x) {
entry:
  %c = icmp ugt i32 %x, 255
  br i1 %c, label %body, label %done

body:
  %n = phi i32 [ %m, %body ], [ 0, %entry ]
  %v = phi i32 [ %w, %body ], [ %x, %entry ]
  %m = add nuw nsw i32 %n, 8
  %w = lshr i32 %v, 8
  %d = icmp ugt i32 %v, 65535
  br i1 %d, label %body, label %done

done:
  %r = phi i32 [ 0, %entry ], [ %m, %body ]
  ret i32 %r
}
