; What opt -O1 made of it.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read)
define i32 @begin(ptr nocapture readonly %t) local_unnamed_addr #0 {
check.exit7:
  %flags.i1 = load i32, ptr %t, align 4
  %some.i2 = and i32 %flags.i1, 3
  %none.i3.not = icmp eq i32 %some.i2, 0
  br i1 %none.i3.not, label %go, label %out

go:                                               ; preds = %check.exit7
  %next = getelementptr i8, ptr %t, i64 4
  %flags.i = load i32, ptr %next, align 4
  %some.i = and i32 %flags.i, 3
  %none.i = icmp ne i32 %some.i, 0
  %spec.select8 = sext i1 %none.i to i32
  br label %out

out:                                              ; preds = %go, %check.exit7
  %end = phi i32 [ -1, %check.exit7 ], [ %spec.select8, %go ]
  ret i32 %end
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) }
