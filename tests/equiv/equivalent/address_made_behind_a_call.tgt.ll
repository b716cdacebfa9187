target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @prepare(ptr)
declare void @fill(ptr)

define void @start(ptr %p) {
  %r = call i32 @prepare(ptr %p)
  %q = getelementptr inbounds i8, ptr %p, i64 8
  call void @fill(ptr noundef %q)
  ret void
}
