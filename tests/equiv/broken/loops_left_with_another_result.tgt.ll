; The right says that the loop found something where it came to its end.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define range(i32 0, 2) i32 @f4(ptr nocapture noundef readonly %0, i64 noundef %1, ptr nocapture noundef readonly %2) local_unnamed_addr {
  %.not19.not = icmp eq i64 %1, 0
  br i1 %.not19.not, label %pre.exit.thread, label %.lr.ph

.lr.ph:
  %4 = load i8, ptr %2, align 1
  %.not3.i = icmp eq i8 %4, 0
  br label %5

5:
  %.not111 = phi i1 [ true, %.lr.ph ], [ %.not1, %15 ]
  %.0210 = phi i64 [ 0, %.lr.ph ], [ %16, %15 ]
  br i1 %.not3.i, label %pre.exit.thread, label %.lr.ph.i.preheader

.lr.ph.i.preheader:
  %6 = getelementptr inbounds ptr, ptr %0, i64 %.0210
  %7 = load ptr, ptr %6, align 8
  br label %.lr.ph.i

.lr.ph.i:
  %8 = phi i8 [ %14, %11 ], [ %4, %.lr.ph.i.preheader ]
  %.05.i = phi ptr [ %12, %11 ], [ %2, %.lr.ph.i.preheader ]
  %.014.i = phi ptr [ %13, %11 ], [ %7, %.lr.ph.i.preheader ]
  %9 = load i8, ptr %.014.i, align 1
  %10 = icmp eq i8 %8, %9
  br i1 %10, label %11, label %15

11:
  %12 = getelementptr inbounds i8, ptr %.05.i, i64 1
  %13 = getelementptr inbounds i8, ptr %.014.i, i64 1
  %14 = load i8, ptr %12, align 1
  %.not.i = icmp eq i8 %14, 0
  br i1 %.not.i, label %pre.exit.thread, label %.lr.ph.i

15:
  %16 = add nuw i64 %.0210, 1
  %.not1 = icmp ult i64 %16, %1
  %exitcond.not = icmp eq i64 %16, %1
  br i1 %exitcond.not, label %pre.exit.thread, label %5

pre.exit.thread:
  %.not18 = phi i1 [ false, %3 ], [ %.not111, %11 ], [ true, %15 ], [ true, %5 ]
  %switch.select = zext i1 %.not18 to i32
  ret i32 %switch.select
}

