; A variable that holds what it begins with or one other number is kept in one bit.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@limit = internal unnamed_addr global i1 false, align 8
@seen = internal unnamed_addr global i1 false, align 4

define void @set(i32 noundef %0) {
  %2 = icmp ne i32 %0, 0
  store i1 %2, ptr @limit, align 8
  ret void
}

define i64 @get(i64 noundef %0) {
  %2 = load i1, ptr @limit, align 8
  %3 = select i1 %2, i64 1000, i64 0
  %4 = tail call i64 @llvm.smin.i64(i64 %3, i64 %0)
  ret i64 %4
}

define i32 @once(i32 noundef %0) {
  %2 = load i1, ptr @seen, align 4
  br i1 %2, label %9, label %3

3:
  store i1 true, ptr @seen, align 4
  %4 = sext i32 %0 to i64
  %5 = load i1, ptr @limit, align 8
  %6 = select i1 %5, i64 1000, i64 0
  %7 = tail call i64 @llvm.smin.i64(i64 %6, i64 %4)
  %8 = trunc nsw i64 %7 to i32
  br label %9

9:
  %10 = phi i32 [ %8, %3 ], [ %0, %1 ]
  ret i32 %10
}

declare i64 @llvm.smin.i64(i64, i64)
