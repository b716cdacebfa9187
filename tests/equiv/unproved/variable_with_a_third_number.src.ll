; A third number does not fit into the bit, and an address that is handed out may be written by anybody.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@limit = internal global i64 0, align 8
@seen = internal global i32 5, align 4

define void @reset() {
  store i64 7, ptr @limit, align 8
  store i32 11, ptr @seen, align 4
  ret void
}

define void @set(i32 noundef %0) {
  %2 = icmp ne i32 %0, 0
  br i1 %2, label %3, label %4

3:
  store i64 1000, ptr @limit, align 8
  br label %5

4:
  store i64 0, ptr @limit, align 8
  br label %5

5:
  ret void
}

define i64 @get(i64 noundef %0) {
  %2 = load i64, ptr @limit, align 8
  %3 = icmp slt i64 %0, %2
  br i1 %3, label %4, label %5

4:
  br label %7

5:
  %6 = load i64, ptr @limit, align 8
  br label %7

7:
  %8 = phi i64 [ %0, %4 ], [ %6, %5 ]
  ret i64 %8
}

define i32 @once(i32 noundef %0) {
  %2 = load i32, ptr @seen, align 4
  %3 = icmp ne i32 %2, 5
  br i1 %3, label %4, label %5

4:
  br label %9

5:
  store i32 9, ptr @seen, align 4
  %6 = sext i32 %0 to i64
  %7 = call i64 @get(i64 noundef %6)
  %8 = trunc i64 %7 to i32
  br label %9

9:
  %.0 = phi i32 [ %0, %4 ], [ %8, %5 ]
  ret i32 %.0
}
