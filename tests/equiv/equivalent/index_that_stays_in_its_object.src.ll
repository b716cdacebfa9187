; An address that stays in its object is so many elements away that their bytes are a number with a sign.
define i1 @four(ptr noundef %p, i64 noundef %n) {
  %e = getelementptr inbounds i32, ptr %p, i64 %n
  %c = icmp ult ptr %p, %e
  ret i1 %c
}

define i32 @tested(ptr noundef %p, i64 noundef %n) {
  %e = getelementptr inbounds i32, ptr %p, i64 %n
  %c = icmp ult ptr %p, %e
  br i1 %c, label %a, label %b

a:
  ret i32 1

b:
  ret i32 2
}

define ptr @twelve(ptr noundef %p, i64 noundef %n) {
  %e = getelementptr inbounds [3 x i32], ptr %p, i64 %n
  ret ptr %e
}
