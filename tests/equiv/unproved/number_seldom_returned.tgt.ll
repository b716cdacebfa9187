declare i32 @failed(i32)
declare i32 @mostly(i32)
declare i32 @replaced(i32)

define i32 @check(i32 %n) {
  %big = icmp sgt i32 %n, 100
  br i1 %big, label %no, label %end

no:
  %failed = call i32 @failed(i32 %n)
  br label %end

end:
  %result = phi i32 [ -2, %no ], [ 0, %0 ]
  ret i32 %result
}

define i32 @checked(i32 %n) {
  %failed = call i32 @mostly(i32 %n)
  ret i32 -1
}

define i32 @asked(i32 %n) {
  %failed = call i32 @replaced(i32 %n)
  ret i32 -1
}
