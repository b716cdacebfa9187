; As LLVM 15 prints: opaque pointers, unwind tables by kind, how functions allocate.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@message = private unnamed_addr constant [3 x i8] c"ok\00", align 1
@alias = weak alias i32 (ptr), ptr @second

; Function Attrs: argmemonly mustprogress nofree norecurse nosync nounwind readonly willreturn uwtable
define dso_local i32 @second(ptr nocapture noundef readonly %p) local_unnamed_addr #0 {
entry:
  %q = getelementptr inbounds i32, ptr %p, i64 1
  %v = load i32, ptr %q, align 4
  ret i32 %v
}

define dso_local i8 @letter(i64 noundef %n) local_unnamed_addr #1 {
entry:
  %odd = and i64 %n, 1
  %at = getelementptr inbounds [3 x i8], ptr @message, i64 0, i64 %odd
  %v = load i8, ptr %at, align 1
  ret i8 %v
}

define dso_local noalias ptr @make(i64 noundef %n) local_unnamed_addr #2 {
entry:
  %p = tail call noalias ptr @calloc(i64 noundef %n, i64 noundef 4) #5
  ret ptr %p
}

; Function Attrs: inaccessiblememonly mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #3
declare void @free(ptr allocptr nocapture noundef) #4

attributes #0 = { argmemonly mustprogress nofree norecurse nosync nounwind readonly willreturn uwtable "frame-pointer"="none" }
attributes #1 = { nounwind uwtable(sync) }
attributes #2 = { nounwind uwtable fn_ret_thunk_extern }
attributes #3 = { inaccessiblememonly mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) "alloc-family"="malloc" }
attributes #4 = { inaccessiblemem_or_argmemonly mustprogress nounwind willreturn allockind("free") "alloc-family"="malloc" }
attributes #5 = { nounwind allocsize(0,1) }
