target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @two_fields(ptr noundef %p, i1 noundef %c) {
  %x = load i64, ptr %p, align 8
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %y = load i32, ptr %q, align 8
  br i1 %c, label %yes, label %no
yes:
  call void @seen()
  br label %no
no:
  call void @take(i64 noundef %x, i32 noundef %y)
  ret void
}

define i32 @cleared_and_stored(i32 noundef %x) {
  call void @seen()
  %r = add i32 0, %x
  ret i32 %r
}

declare void @seen()
declare void @take(i64, i32)
