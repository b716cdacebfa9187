target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @f(i32 noundef %x, i32 noundef %y) {
  br label %head

head:
  %i = phi i32 [ 0, %0 ], [ %i1, %body ]
  %s = phi i32 [ 0, %0 ], [ %s1, %body ]
  %c = icmp ult i32 %i, %x
  br i1 %c, label %body, label %done

body:
  %m = mul i32 %i, 4
  %s1 = add i32 %s, %m
  %i1 = add i32 %i, 1
  br label %head

done:
  ret i32 %s
}
