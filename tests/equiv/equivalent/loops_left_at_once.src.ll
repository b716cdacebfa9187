; The left comes to the head of a loop once more before it leaves it, the right leaves at once.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%struct.n = type { ptr, i32, i32 }
%struct.vec = type { i64, ptr }

define i32 @f4(ptr noundef %0, i64 noundef %1, ptr noundef %2) {
  br label %4

4:
  %.02 = phi i64 [ 0, %3 ], [ %15, %14 ]
  %5 = icmp ult i64 %.02, %1
  br i1 %5, label %7, label %6

6:
  br label %16

7:
  %8 = getelementptr inbounds ptr, ptr %0, i64 %.02
  %9 = load ptr, ptr %8, align 8
  %10 = call i32 @pre(ptr noundef %2, ptr noundef %9)
  %11 = icmp ne i32 %10, 0
  br i1 %11, label %12, label %13

12:
  br label %16

13:
  br label %14

14:
  %15 = add i64 %.02, 1
  br label %4

16:
  %.01 = phi i32 [ 1, %12 ], [ 2, %6 ]
  switch i32 %.01, label %19 [
    i32 2, label %17
    i32 1, label %18
  ]

17:
  br label %18

18:
  %.1 = phi i32 [ 1, %16 ], [ 0, %17 ]
  ret i32 %.1

19:
  unreachable
}

define internal i32 @pre(ptr noundef %0, ptr noundef %1) {
  br label %3

3:
  %.01 = phi ptr [ %1, %2 ], [ %17, %15 ]
  %.0 = phi ptr [ %0, %2 ], [ %16, %15 ]
  %4 = load i8, ptr %.0, align 1
  %5 = sext i8 %4 to i32
  %6 = icmp ne i32 %5, 0
  br i1 %6, label %7, label %13

7:
  %8 = load i8, ptr %.0, align 1
  %9 = sext i8 %8 to i32
  %10 = load i8, ptr %.01, align 1
  %11 = sext i8 %10 to i32
  %12 = icmp eq i32 %9, %11
  br label %13

13:
  %14 = phi i1 [ false, %3 ], [ %12, %7 ]
  br i1 %14, label %15, label %18

15:
  %16 = getelementptr inbounds i8, ptr %.0, i32 1
  %17 = getelementptr inbounds i8, ptr %.01, i32 1
  br label %3

18:
  %19 = load i8, ptr %.0, align 1
  %20 = sext i8 %19 to i32
  %21 = icmp eq i32 %20, 0
  %22 = zext i1 %21 to i32
  ret i32 %22
}

