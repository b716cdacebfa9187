; As LLVM 21 prints: what is captured and how, objects dead after return.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nounwind memory(argmem: read, errnomem: write)
define dso_local i32 @peek(ptr noundef readonly captures(none) %p, ptr noundef captures(address, read_provenance) %q) local_unnamed_addr #0 {
entry:
  %same = icmp eq ptr %p, %q
  %v = load i32, ptr %p, align 4
  %r = select i1 %same, i32 0, i32 %v
  ret i32 %r
}

define dso_local ptr @pass(ptr noundef returned captures(ret: address, provenance) %p, ptr dead_on_return noundef %tmp) #1 {
entry:
  store i32 0, ptr %tmp, align 4
  ret ptr %p
}

define dso_local ptr @both(ptr noundef captures(address_is_null, ret: address, provenance) %p) #1 {
entry:
  %null = icmp eq ptr %p, null
  %r = select i1 %null, ptr inttoptr (i64 16 to ptr), ptr %p
  ret ptr %r
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read, errnomem: write) uwtable }
attributes #1 = { nounwind "no-trapping-math"="true" }
