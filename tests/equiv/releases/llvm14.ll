; As LLVM 14 prints: typed pointers, casts between them, memory attributes one by one.
source_filename = "r.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i32, %struct.node* }

@table = internal unnamed_addr constant [2 x i32] [i32 3, i32 5], align 4
@head = dso_local local_unnamed_addr global %struct.node* null, align 8

; Function Attrs: argmemonly mustprogress nofree norecurse nosync nounwind readonly uwtable willreturn
define dso_local i32 @second(i32* nocapture noundef readonly %p) local_unnamed_addr #0 {
entry:
  %q = getelementptr inbounds i32, i32* %p, i64 1
  %v = load i32, i32* %q, align 4, !tbaa !3
  ret i32 %v
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pick(i64 noundef %n) local_unnamed_addr #1 {
entry:
  %at = getelementptr inbounds [2 x i32], [2 x i32]* @table, i64 0, i64 1
  %v = load i32, i32* %at, align 4
  %low = trunc i64 %n to i32
  %sum = add nsw i32 %v, %low
  ret i32 %sum
}

; Function Attrs: nofree norecurse nounwind uwtable writeonly
define dso_local void @push(%struct.node* noundef %n) #2 {
entry:
  %raw = bitcast %struct.node* %n to i8*
  %next = getelementptr inbounds i8, i8* %raw, i64 8
  %slot = bitcast i8* %next to %struct.node**
  store %struct.node* null, %struct.node** %slot, align 8
  store %struct.node* %n, %struct.node** @head, align 8
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %raw)
  ret void
}

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #3

attributes #0 = { argmemonly mustprogress nofree norecurse nosync nounwind readonly uwtable willreturn "frame-pointer"="none" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn }
attributes #2 = { nofree norecurse nounwind uwtable writeonly }
attributes #3 = { argmemonly mustprogress nofree nosync nounwind willreturn }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"uwtable", i32 1}
!2 = !{!"clang version 14.0.6"}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
