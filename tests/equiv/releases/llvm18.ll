; As LLVM 18 prints: `nneg`, `disjoint`, code models of globals, writable results.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@far = dso_local global [4 x i32] zeroinitializer, code_model "large", align 16
@partitioned = dso_local global i32 1, section ".data.x", align 4, !associated !0

define dso_local i64 @bits(i32 noundef %x) local_unnamed_addr #0 {
entry:
  %low = and i32 %x, 7
  %wide = zext nneg i32 %low to i64
  %set = or disjoint i64 %wide, 8
  ret i64 %set
}

define dso_local void @fill(ptr dead_on_unwind noalias nocapture writable writeonly sret([2 x i64]) align 8 %out, i64 noundef %v) #0 {
entry:
  store i64 %v, ptr %out, align 8
  %second = getelementptr inbounds i8, ptr %out, i64 8
  store i64 %v, ptr %second, align 8
  ret void
}

define dso_local i32 @first(ptr noundef %p) {
entry:
  %v = load i32, ptr getelementptr inbounds ([4 x i32], ptr @far, i64 0, i64 1), align 4
  ret i32 %v
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) uwtable coro_only_destroy_when_complete }

!0 = !{ptr @far}
