target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(ptr noundef %p, ptr noundef %q) {
  %word = alloca i32, align 4
  %a = call ptr @copy(ptr %word, ptr %p, i64 4)
  %b = call ptr @copy(ptr %q, ptr %p, i64 8)
  %v = load i32, ptr %word, align 4
  ret i32 %v
}
define internal ptr @copy(ptr %to, ptr %from, i64 %n) alwaysinline {
  %room = call i64 @llvm.objectsize.i64.p0(ptr %to, i1 false, i1 true, i1 false)
  %r = call ptr @__memcpy_chk(ptr %to, ptr %from, i64 %n, i64 %room)
  ret ptr %r
}
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare ptr @__memcpy_chk(ptr, ptr, i64, i64)
