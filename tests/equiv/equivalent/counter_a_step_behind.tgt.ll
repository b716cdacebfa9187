target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @swap(i64, i64)

define void @sort(ptr %names, ptr %p, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.next ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %start, label %done
start:
  br label %inner
inner:
  %j.in = phi i64 [ %i, %start ], [ %j, %next ]
  %j = add i64 %j.in, 1
  %again = icmp ult i64 %j, %n
  br i1 %again, label %body, label %outer.next
body:
  %at = getelementptr inbounds i64, ptr %p, i64 %j
  %which = load i64, ptr %at
  %name = getelementptr inbounds i8, ptr %names, i64 %which
  %letter = load i8, ptr %name
  %low = icmp ult i8 %letter, 97
  br i1 %low, label %exchange, label %next
exchange:
  call void @swap(i64 %i, i64 %which)
  br label %next
next:
  br label %inner
outer.next:
  %i.next = add i64 %i, 1
  br label %outer
done:
  ret void
}
