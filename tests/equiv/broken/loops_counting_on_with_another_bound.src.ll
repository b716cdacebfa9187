; The second of two tests for a loop has another bound.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%struct.n = type { ptr, i32, i32 }
%struct.vec = type { i64, ptr }

define i32 @f2(ptr noundef %0, i32 noundef %1) {
  br label %3

3:
  %.02 = phi i32 [ -1, %2 ], [ %.1, %27 ]
  %.01 = phi i64 [ 0, %2 ], [ %28, %27 ]
  %4 = getelementptr inbounds %struct.vec, ptr %0, i32 0, i32 0
  %5 = load i64, ptr %4, align 8
  %6 = icmp ult i64 %.01, %5
  br i1 %6, label %7, label %9

7:
  %8 = icmp slt i32 %.02, 0
  br label %9

9:
  %10 = phi i1 [ false, %3 ], [ %8, %7 ]
  br i1 %10, label %12, label %11

11:
  br label %29

12:
  %13 = getelementptr inbounds %struct.vec, ptr %0, i32 0, i32 1
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds ptr, ptr %14, i64 %.01
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds %struct.n, ptr %16, i32 0, i32 2
  %18 = load i32, ptr %17, align 4
  %19 = icmp ne i32 %18, 0
  br i1 %19, label %20, label %21

20:
  br label %25

21:
  %22 = getelementptr inbounds %struct.n, ptr %16, i32 0, i32 1
  %23 = load i32, ptr %22, align 8
  %24 = call i32 @cb(i32 noundef %23, ptr noundef %16)
  br label %25

25:
  %.1 = phi i32 [ %.02, %20 ], [ %24, %21 ]
  %.0 = phi i32 [ 4, %20 ], [ 0, %21 ]
  switch i32 %.0, label %30 [
    i32 0, label %26
    i32 4, label %27
  ]

26:
  br label %27

27:
  %28 = add i64 %.01, 1
  br label %3

29:
  call void @done()
  ret i32 %.02

30:
  unreachable
}

declare i32 @cb(i32 noundef, ptr noundef)
declare void @done()
