target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @decode(ptr noundef %p, i64 noundef %n, i16 noundef zeroext %seed) {
entry:
  %start = zext i16 %seed to i32
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %state = phi i32 [ %start, %entry ], [ %new, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %done

body:
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  %byte = load i8, ptr %at, align 1
  %wide = zext i8 %byte to i32
  %key = lshr i32 %state, 9
  %low = trunc i32 %key to i8
  %sum = add i32 %wide, %state
  %times = mul i32 %sum, 52845
  %new = add i32 %times, 22719
  %out = xor i8 %byte, %low
  store i8 %out, ptr %at, align 1
  %next = add i64 %i, 1
  br label %head

done:
  ret void
}
