target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f() {
  %r = call i32 @run()
  %bad = icmp ne i32 %r, 0
  br i1 %bad, label %no, label %yes
yes:
  %v = call i32 @other()
  ret i32 %v
no:
  ret i32 99
}
define i32 @run() noinline {
  call i32 @other()
  call i32 @other()
  ret i32 0
}
declare i32 @other()
