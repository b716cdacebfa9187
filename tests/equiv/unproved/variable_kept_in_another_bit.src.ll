; What a variable holds is computed by another function, of a number that the target takes for another one.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@limit = internal global i64 0, align 8

define internal i64 @scaled(i32 noundef %n) {
  %wide = zext i32 %n to i64
  %product = mul i64 1000000000, %wide
  %q = lshr i64 %product, 16
  %some = icmp ne i64 %q, 0
  %c = zext i1 %some to i64
  %e = call i64 @llvm.expect.i64(i64 %c, i64 1)
  %likely = icmp ne i64 %e, 0
  br i1 %likely, label %yes, label %no

yes:
  br label %end

no:
  br label %end

end:
  %r = phi i64 [ %q, %yes ], [ 1, %no ]
  ret i64 %r
}

declare i64 @llvm.expect.i64(i64, i64)

define void @set(i32 noundef %0) {
  %2 = icmp ne i32 %0, 0
  br i1 %2, label %3, label %5

3:
  %4 = call i64 @scaled(i32 noundef -3)
  store i64 %4, ptr @limit, align 8
  br label %5

5:
  ret void
}

define i64 @get(i64 noundef %0) {
  %2 = load i64, ptr @limit, align 8
  %3 = icmp ult i64 %0, %2
  %4 = select i1 %3, i64 %0, i64 %2
  ret i64 %4
}
