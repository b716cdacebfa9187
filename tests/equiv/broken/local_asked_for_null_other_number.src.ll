; The last part of a block is another number.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.opts = type { i32, i32, [40 x i32], i32 }

@.str = private unnamed_addr constant [8 x i8] c"version\00", align 1

define i32 @init(ptr noundef %0, i32 noundef %1) {
  %3 = alloca i32, align 4
  %4 = alloca %struct.opts, align 4
  store i32 %1, ptr %3, align 4
  call void @llvm.lifetime.start.p0(i64 172, ptr %4)
  call void @llvm.memset.p0.i64(ptr align 4 %4, i8 0, i64 172, i1 false)
  %5 = getelementptr inbounds %struct.opts, ptr %4, i32 0, i32 0
  store i32 1, ptr %5, align 4
  %6 = getelementptr inbounds %struct.opts, ptr %4, i32 0, i32 1
  store i32 1, ptr %6, align 4
  %7 = getelementptr inbounds %struct.opts, ptr %4, i32 0, i32 3
  store i32 7, ptr %7, align 4
  %8 = getelementptr inbounds %struct.opts, ptr %4, i32 0, i32 0
  %9 = load i32, ptr %8, align 4
  %10 = call i32 @check(ptr noundef %3, i32 noundef %9)
  %11 = icmp slt i32 %10, 0
  br i1 %11, label %12, label %13

12:
  br label %14

13:
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %0, ptr align 4 %4, i64 172, i1 false)
  br label %14

14:
  %.0 = phi i32 [ -1, %12 ], [ 0, %13 ]
  call void @llvm.lifetime.end.p0(i64 172, ptr %4)
  ret i32 %.0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)

define internal i32 @check(ptr noundef %0, i32 noundef %1) {
  %3 = icmp ne ptr %0, null
  br i1 %3, label %5, label %4

4:
  br label %13

5:
  %6 = load i32, ptr %0, align 4
  %7 = icmp ugt i32 %6, 0
  br i1 %7, label %8, label %11

8:
  %9 = icmp ule i32 %6, %1
  br i1 %9, label %10, label %11

10:
  br label %12

11:
  call void @err(i32 noundef %6, ptr noundef @.str)
  br label %12

12:
  %.0 = phi i32 [ 0, %10 ], [ -1, %11 ]
  br label %13

13:
  %.1 = phi i32 [ %.0, %12 ], [ 0, %4 ]
  ret i32 %.1
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

declare void @err(i32 noundef, ptr noundef)
