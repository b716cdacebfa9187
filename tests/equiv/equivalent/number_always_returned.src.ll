; What reports an error always returns the same: a structure that is put together in memory.
%answer = type { i64, i64 }

declare void @message(i32)

define { i64, i64 } @refuse(i32 %why) {
  %answer = alloca %answer, align 8
  call void @message(i32 %why)
  store i64 0, ptr %answer, align 8
  %kind = getelementptr inbounds %answer, ptr %answer, i64 0, i32 1
  store i64 6, ptr %kind, align 8
  %whole = load { i64, i64 }, ptr %answer, align 8
  ret { i64, i64 } %whole
}

define internal i32 @failed(i32 %why) {
  call void @message(i32 %why)
  ret i32 -1
}

define { i64, i64 } @half(i64 %n) {
  %odd = trunc i64 %n to i1
  br i1 %odd, label %no, label %yes

no:
  %refused = call { i64, i64 } @refuse(i32 3)
  ret { i64, i64 } %refused

yes:
  %half = ashr i64 %n, 1
  %first = insertvalue { i64, i64 } poison, i64 %half, 0
  %both = insertvalue { i64, i64 } %first, i64 1, 1
  ret { i64, i64 } %both
}

define i32 @check(i32 %n) {
  %big = icmp sgt i32 %n, 100
  br i1 %big, label %no, label %yes

no:
  %failed = call i32 @failed(i32 %n)
  ret i32 %failed

yes:
  ret i32 0
}
