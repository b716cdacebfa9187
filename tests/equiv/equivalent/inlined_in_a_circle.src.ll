; Functions that call each other in a circle: constants say that one of the calls is never reached, so its body is not put in.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal i32 @check(ptr %t, i32 %bad) alwaysinline nounwind {
  %flags = load i32, ptr %t, align 4
  %some = and i32 %flags, %bad
  %none = icmp eq i32 %some, 0
  br i1 %none, label %fine, label %not

fine:
  ret i32 0

not:
  %r = call i32 @found_bad(ptr %t, i32 %bad)
  ret i32 %r
}

define internal i32 @found_bad(ptr %t, i32 %bad) nounwind {
  %parked = and i32 %bad, 4
  %no = icmp eq i32 %parked, 0
  br i1 %no, label %wrong, label %again

wrong:
  ret i32 -1

again:
  %r = call i32 @unpark(ptr %t)
  ret i32 %r
}

define internal i32 @unpark(ptr %t) nounwind {
  store i32 0, ptr %t, align 4
  %r = call i32 @check(ptr %t, i32 7)
  ret i32 %r
}

define i32 @begin(ptr %t) nounwind {
  %r = call i32 @check(ptr %t, i32 3)
  %good = icmp eq i32 %r, 0
  br i1 %good, label %go, label %out

go:
  %next = getelementptr i32, ptr %t, i64 1
  %q = call i32 @check(ptr %next, i32 3)
  br label %out

out:
  %end = phi i32 [ %r, %0 ], [ %q, %go ]
  ret i32 %end
}
