; A local variable that is asked whether it is null, and part after part of a block that is copied as a whole.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.str = private unnamed_addr constant [8 x i8] c"version\00", align 1

define range(i32 -1, 1) i32 @init(ptr nocapture noundef writeonly %0, i32 noundef %1) local_unnamed_addr {
  %or.cond.i = icmp eq i32 %1, 1
  br i1 %or.cond.i, label %check.exit, label %check.exit.thread

check.exit.thread:
  tail call void @err(i32 noundef %1, ptr noundef nonnull @.str)
  br label %3

check.exit:
  store i32 1, ptr %0, align 4
  %.sroa.6.0..sroa_idx = getelementptr inbounds i8, ptr %0, i64 4
  store i32 1, ptr %.sroa.6.0..sroa_idx, align 4
  %.sroa.7.0..sroa_idx = getelementptr inbounds i8, ptr %0, i64 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(160) %.sroa.7.0..sroa_idx, i8 0, i64 160, i1 false)
  %.sroa.71.0..sroa_idx = getelementptr inbounds i8, ptr %0, i64 168
  store i32 7, ptr %.sroa.71.0..sroa_idx, align 4
  br label %3

3:
  %.0 = phi i32 [ 0, %check.exit ], [ -1, %check.exit.thread ]
  ret i32 %.0
}

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)

declare void @err(i32 noundef, ptr noundef) local_unnamed_addr
