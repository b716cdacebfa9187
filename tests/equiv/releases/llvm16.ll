; As LLVM 16 prints: one memory attribute, target types, wrapping atomic counters.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@g = dso_local local_unnamed_addr global i32 0, align 4
@dead = external global target("spirv.Sampler")

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable
define dso_local i32 @second(ptr nocapture noundef readonly %p) local_unnamed_addr #0 {
entry:
  %q = getelementptr inbounds i32, ptr %p, i64 1
  %v = load i32, ptr %q, align 4, !range !0, !noundef !1
  ret i32 %v
}

; Function Attrs: memory(read, argmem: none, inaccessiblemem: readwrite)
define dso_local i32 @global() #1 {
entry:
  %v = load i32, ptr @g, align 4
  %f = freeze i32 %v
  ret i32 %f
}

; Function Attrs: memory(none)
define i32 @wraps(i32 %x) #2 {
  %big = call i32 @llvm.umax.i32(i32 %x, i32 -5)
  ret i32 %big
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #3

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable }
attributes #1 = { nounwind memory(read, argmem: none, inaccessiblemem: readwrite) skipprofile }
attributes #2 = { nounwind memory(none) }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{i32 0, i32 9}
!1 = !{}
