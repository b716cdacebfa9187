; It may end at a zero, whatever it counts to.
define i64 @total(ptr noundef %p, i32 noundef %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = phi i64 [ 0, %entry ], [ %t, %latch ]
  %more = icmp ule i32 %i, %n
  br i1 %more, label %body, label %done

body:
  %wide = zext i32 %i to i64
  %a = getelementptr i64, ptr %p, i64 %wide
  %v = load i64, ptr %a, align 8
  store i64 %s, ptr %a, align 8
  %stop = icmp eq i64 %v, 0
  br i1 %stop, label %done, label %latch

latch:
  %t = add i64 %s, %v
  %next = add i32 %i, 1
  br label %head, !llvm.loop !0

done:
  %r = phi i64 [ %s, %head ], [ 0, %body ]
  ret i64 %r
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
