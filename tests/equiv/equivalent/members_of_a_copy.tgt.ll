; The pointer is not loaded again, and the copy is read before the pointer is stored.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define ptr @stored(ptr %d, ptr %from) {
  %at = load ptr, ptr %d, align 8
  %v = load i32, ptr %from, align 2
  store i32 %v, ptr %at, align 2
  ret ptr %at
}

define i32 @read(ptr %d, ptr %from, ptr %p) {
  %v = load i32, ptr %from, align 2
  store ptr %p, ptr %d, align 8
  store i32 %v, ptr %p, align 2
  ret i32 %v
}
