; As LLVM 19 prints: debug records, ranges as attributes, flags of truncations and addresses.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@vtable = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @narrow, ptr null] }, align 8
@into = constant ptr getelementptr inbounds inrange(-8, 16) ({ [3 x ptr] }, ptr @vtable, i32 0, i32 0, i32 1)

define dso_local range(i32 0, 128) i32 @narrow(i64 noundef range(i64 0, 128) %x) local_unnamed_addr #0 !dbg !10 {
entry:
    #dbg_value(i64 %x, !12, !DIExpression(), !13)
    #dbg_declare(ptr poison, !12, !DIExpression(DW_OP_plus_uconst, 8), !13)
    #dbg_label(!14, !13)
  %n = trunc nuw nsw i64 %x to i32, !dbg !13
    #dbg_assign(i64 %x, !12, !DIExpression(), !15, ptr null, !DIExpression(), !13)
  ret i32 %n, !dbg !13
}

define dso_local double @convert(i64 noundef range(i64 0, -9223372036854775808) %x) #1 {
entry:
  %d = uitofp nneg i64 %x to double
  ret double %d
}

define dso_local i32 @walk(ptr noundef %p, i64 noundef %n) #1 {
entry:
  %a = getelementptr nusw nuw i32, ptr %p, i64 %n
  %b = getelementptr nuw i8, ptr %a, i64 4
  %v = load i32, ptr %b, align 4
  %c = call noundef range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %v)
  %three = call i32 @llvm.scmp.i32.i32(i32 %c, i32 3)
  %sum = add i32 %c, %three
  ret i32 %sum
}

declare i32 @llvm.ctpop.i32(i32) #2
declare range(i32 -1, 2) i32 @llvm.scmp.i32.i32(i32, i32) #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind optdebug willreturn memory(none) uwtable }
attributes #1 = { nounwind hybrid_patchable sanitize_numerical_stability }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang version 19.1.7", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "r.c", directory: "/r", checksumkind: CSK_MD5, checksum: "00000000000000000000000000000000")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "narrow", scope: !1, file: !1, line: 1, type: !11, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DISubroutineType(types: !16)
!12 = !DILocalVariable(name: "x", arg: 1, scope: !10, file: !1, line: 1)
!13 = !DILocation(line: 2, column: 3, scope: !10)
!14 = !DILabel(scope: !10, name: "here", file: !1, line: 2)
!15 = distinct !DIAssignID()
!16 = !{}
