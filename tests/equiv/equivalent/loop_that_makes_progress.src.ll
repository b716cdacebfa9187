; A counter up to a number and including it: if that is the greatest the loop has no end, which it promises not to be.
define i64 @total(ptr noundef %p, i32 noundef %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi i64 [ 0, %entry ], [ %t, %body ]
  %more = icmp ule i32 %i, %n
  br i1 %more, label %body, label %done

body:
  %wide = zext i32 %i to i64
  %a = getelementptr i64, ptr %p, i64 %wide
  %v = load i64, ptr %a, align 8
  store i64 %s, ptr %a, align 8
  %t = add i64 %s, %v
  %next = add i32 %i, 1
  br label %head, !llvm.loop !0

done:
  ret i64 %s
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
