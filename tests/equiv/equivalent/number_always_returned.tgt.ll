declare void @message(i32)

define { i64, i64 } @refuse(i32 %why) {
  call void @message(i32 %why)
  ret { i64, i64 } { i64 0, i64 6 }
}

; Nobody reads what it returns any more.
define internal i32 @failed(i32 %why) {
  call void @message(i32 %why)
  ret i32 poison
}

define { i64, i64 } @half(i64 %n) {
  %odd = trunc i64 %n to i1
  br i1 %odd, label %no, label %yes

no:
  %refused = call { i64, i64 } @refuse(i32 3)
  br label %yes

yes:
  %half = ashr i64 %n, 1
  %value = select i1 %odd, i64 0, i64 %half
  %kind = select i1 %odd, i64 6, i64 1
  %first = insertvalue { i64, i64 } poison, i64 %value, 0
  %both = insertvalue { i64, i64 } %first, i64 %kind, 1
  ret { i64, i64 } %both
}

define i32 @check(i32 %n) {
  %big = icmp sgt i32 %n, 100
  br i1 %big, label %no, label %end

no:
  %failed = call i32 @failed(i32 %n)
  br label %end

end:
  %result = phi i32 [ -1, %no ], [ 0, %0 ]
  ret i32 %result
}
