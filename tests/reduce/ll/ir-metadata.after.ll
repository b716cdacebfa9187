; ModuleID = 'a.c'
source_filename = "a.c"

define i32 @f(ptr %p) {
  %v = load i32, ptr %p, align 4, !tbaa !5
  br label %l, !llvm.loop !9

l:
  ret i32 %v
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
; ----
; ModuleID = 'a.c'
source_filename = "a.c"

define i32 @f(ptr %p) !dbg !7 {
  %v = load i32, ptr %p, align 4
  br label %l, !llvm.loop !9

l:
  ret i32 %v
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
; ----
; ModuleID = 'a.c'
source_filename = "a.c"

define i32 @f(ptr %p) !dbg !7 {
  %v = load i32, ptr %p, align 4, !tbaa !5
  br label %l

l:
  ret i32 %v
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
; ----
source_filename = "a.c"

define i32 @f(ptr %p) !dbg !7 {
  %v = load i32, ptr %p, align 4, !tbaa !5
  br label %l, !llvm.loop !9

l:
  ret i32 %v
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
; ----
; ModuleID = 'a.c'

define i32 @f(ptr %p) !dbg !7 {
  %v = load i32, ptr %p, align 4, !tbaa !5
  br label %l, !llvm.loop !9

l:
  ret i32 %v
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
; ----
; ModuleID = 'a.c'
source_filename = "a.c"
define i32 @f(ptr %p) !dbg !7 {
  %v = load i32, ptr %p, align 4, !tbaa !5
  br label %l, !llvm.loop !9

l:
  ret i32 %v
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
; ----
; ModuleID = 'a.c'
source_filename = "a.c"

define i32 @f(ptr %p) !dbg !7 {
  %v = load i32, ptr %p, align 4, !tbaa !5
  br label %l, !llvm.loop !9

l:
  ret i32 %v
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
; ----
; ModuleID = 'a.c'
source_filename = "a.c"

define i32 @f(ptr %p) !dbg !7 {
  %v = load i32, ptr %p, align 4, !tbaa !5
  br label %l, !llvm.loop !9

l:
  ret i32 %v
}

!0 = !{i32 1, !"wchar_size", i32 4}
; ----
; ModuleID = 'a.c'
source_filename = "a.c"

define i32 @f(ptr %p) !dbg !7 {
  %v = load i32, ptr %p, align 4, !tbaa !5
  br label %l, !llvm.loop !9

l:
  ret i32 %v
}

!llvm.module.flags = !{!0}
; ----
; all that go together
define i32 @f(ptr %p) {
  %v = load i32, ptr %p, align 4
  br label %l

l:
  ret i32 %v
}
