; As LLVM 20 prints: `samesign`, vectors as `splat`, what a call initialises.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@ones = dso_local constant <4 x i32> splat (i32 1), align 16

define dso_local noext i32 @less(i32 noundef %x) local_unnamed_addr #0 {
entry:
  %low = and i32 %x, 255
  %c = icmp samesign ult i32 %low, 16
  %r = zext i1 %c to i32
  ret i32 %r
}

define dso_local void @add(ptr noundef captures(none) initializes((0, 16)) %p, <4 x i32> noundef %v) #1 {
entry:
  %sum = add <4 x i32> %v, splat (i32 7)
  store <4 x i32> %sum, ptr %p, align 16
  ret void
}

define dso_local void @ranges(ptr noalias writeonly initializes((0, 4), (8, 12)) %p) #1 {
entry:
  store i32 1, ptr %p, align 4
  %q = getelementptr inbounds nuw i8, ptr %p, i64 8
  store i32 2, ptr %q, align 4
  ret void
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable sanitize_type }
attributes #1 = { nounwind memory(argmem: write) sanitize_realtime_blocking nodivergencesource }
