@a = dso_local global [2 x i32] [i32 1, i32 2], align 4
@b = internal constant %struct.s { i32 1, i8 2 }, align 4
@c = external global i32

declare void @g(ptr)

define ptr @f() {
  ret ptr @a
}
; ----
%struct.s = type { i32, i8 }
@b = internal constant %struct.s { i32 1, i8 2 }, align 4
@c = external global i32

declare void @g(ptr)

define ptr @f() {
  ret ptr @a
}
; ----
%struct.s = type { i32, i8 }
@a = dso_local global [2 x i32] zeroinitializer, align 4
@b = internal constant %struct.s { i32 1, i8 2 }, align 4
@c = external global i32

declare void @g(ptr)

define ptr @f() {
  ret ptr @a
}
; ----
%struct.s = type { i32, i8 }
@a = dso_local global [2 x i32] [i32 1, i32 2], align 4
@c = external global i32

declare void @g(ptr)

define ptr @f() {
  ret ptr @a
}
; ----
%struct.s = type { i32, i8 }
@a = dso_local global [2 x i32] [i32 1, i32 2], align 4
@b = internal constant %struct.s zeroinitializer, align 4
@c = external global i32

declare void @g(ptr)

define ptr @f() {
  ret ptr @a
}
; ----
%struct.s = type { i32, i8 }
@a = dso_local global [2 x i32] [i32 1, i32 2], align 4
@b = internal constant %struct.s { i32 1, i8 2 }, align 4

declare void @g(ptr)

define ptr @f() {
  ret ptr @a
}
; ----
%struct.s = type { i32, i8 }
@a = dso_local global [2 x i32] [i32 1, i32 2], align 4
@b = internal constant %struct.s { i32 1, i8 2 }, align 4
@c = external global i32


define ptr @f() {
  ret ptr @a
}
; ----
; all that go together


define ptr @f() {
  ret ptr @a
}
