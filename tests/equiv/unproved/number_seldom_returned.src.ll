; What is returned where it failed is another number than the target has.
declare void @message(i32)

define i32 @failed(i32 %why) {
  call void @message(i32 %why)
  ret i32 -1
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

; One way to return gives another number.
define i32 @mostly(i32 %why) {
  %none = icmp eq i32 %why, 0
  br i1 %none, label %fine, label %told

told:
  call void @message(i32 %why)
  ret i32 -1

fine:
  ret i32 0
}

define i32 @checked(i32 %n) {
  %failed = call i32 @mostly(i32 %n)
  ret i32 %failed
}

; Another definition may take the place of this one.
define weak i32 @replaced(i32 %why) {
  ret i32 -1
}

define i32 @asked(i32 %n) {
  %failed = call i32 @replaced(i32 %n)
  ret i32 %failed
}
