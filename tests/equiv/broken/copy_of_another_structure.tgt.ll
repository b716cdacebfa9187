target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { i64, i64 }

declare void @take(ptr noundef byval(%pair) align 8, i32 noundef)

define void @give(ptr noundef %p, i32 noundef %n) {
  %q = getelementptr i8, ptr %p, i64 8
  call void @take(ptr noundef byval(%pair) align 8 %q, i32 noundef %n)
  ret void
}
