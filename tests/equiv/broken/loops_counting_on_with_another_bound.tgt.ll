; The second of two tests for a loop has another bound.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @f2(ptr nocapture noundef readonly %0, i32 noundef %1) local_unnamed_addr {
  %3 = load i64, ptr %0, align 8
  %.not3 = icmp eq i64 %3, 0
  br i1 %.not3, label %._crit_edge, label %.lr.ph

.lr.ph:
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  br label %5

5:
  %.012 = phi i64 [ 0, %.lr.ph ], [ %16, %15 ]
  %.021 = phi i32 [ -1, %.lr.ph ], [ %.1, %15 ]
  %6 = load ptr, ptr %4, align 8
  %7 = getelementptr inbounds ptr, ptr %6, i64 %.012
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds i8, ptr %8, i64 12
  %10 = load i32, ptr %9, align 4
  %.not = icmp eq i32 %10, 0
  br i1 %.not, label %11, label %15

11:
  %12 = getelementptr inbounds i8, ptr %8, i64 8
  %13 = load i32, ptr %12, align 8
  %14 = tail call i32 @cb(i32 noundef %13, ptr noundef %8)
  br label %15

15:
  %.1 = phi i32 [ %14, %11 ], [ %.021, %5 ]
  %16 = add nuw i64 %.012, 1
  %17 = load i64, ptr %0, align 8
  %18 = icmp ult i64 %16, %17
  %19 = icmp slt i32 %.1, 1
  %spec.select = select i1 %18, i1 %19, i1 false
  br i1 %spec.select, label %5, label %._crit_edge

._crit_edge:
  %.02.lcssa = phi i32 [ -1, %2 ], [ %.1, %15 ]
  tail call void @done()
  ret i32 %.02.lcssa
}

declare i32 @cb(i32 noundef, ptr noundef) local_unnamed_addr
declare void @done() local_unnamed_addr
