; A copy that says of what types the members of the structure are: it writes no pointer.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define ptr @stored(ptr %d, ptr %from) {
  %at = load ptr, ptr %d, align 8, !tbaa !4
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %at, ptr align 2 %from, i64 4, i1 false), !tbaa.struct !7
  %again = load ptr, ptr %d, align 8, !tbaa !4
  ret ptr %again
}

define i32 @read(ptr %d, ptr %from, ptr %p) {
  store ptr %p, ptr %d, align 8, !tbaa !4
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %p, ptr align 2 %from, i64 4, i1 false), !tbaa.struct !7
  %v = load i32, ptr %p, align 2
  ret i32 %v
}

!1 = !{!"root"}
!2 = !{!"omnipotent char", !1, i64 0}
!3 = !{!"any pointer", !2, i64 0}
!4 = !{!3, !3, i64 0}
!5 = !{!"short", !2, i64 0}
!6 = !{!5, !5, i64 0}
!7 = !{i64 0, i64 2, !6, i64 2, i64 2, !6}
