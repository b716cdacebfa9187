; As LLVM 17 prints: classes of floating-point values, `!prof` and access groups at instructions.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable
define dso_local nofpclass(nan inf) double @twice(double noundef nofpclass(nan inf) %x) local_unnamed_addr #0 {
entry:
  %y = fadd double %x, %x
  ret double %y
}

define dso_local i32 @choose(i1 noundef zeroext %c, i32 noundef %a, i32 noundef %b) #0 {
entry:
  br i1 %c, label %yes, label %no, !prof !0

yes:                                              ; preds = %entry
  %more = add nuw nsw i32 %a, 1
  br label %no

no:                                               ; preds = %yes, %entry
  %r = phi i32 [ %more, %yes ], [ %b, %entry ]
  ret i32 %r
}

define void @loop(ptr noundef writeonly %p) #1 {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 0, ptr %at, align 4, !llvm.access.group !1
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 3
  br i1 %done, label %out, label %body, !llvm.loop !2

out:
  ret void
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "frame-pointer"="all" }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: write) vscale_range(1,16) }

!0 = !{!"branch_weights", i32 2000, i32 1}
!1 = distinct !{}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
