define i1 @four(ptr noundef %p, i64 noundef %n) {
  %i = shl nsw i64 %n, 2
  %e = getelementptr inbounds i8, ptr %p, i64 %i
  %c = icmp ult ptr %p, %e
  ret i1 %c
}

define i32 @tested(ptr noundef %p, i64 noundef %n) {
  %i = shl nsw i64 %n, 2
  %e = getelementptr inbounds i8, ptr %p, i64 %i
  %c = icmp ult ptr %p, %e
  br i1 %c, label %a, label %b

a:
  ret i32 1

b:
  ret i32 2
}

define ptr @twelve(ptr noundef %p, i64 noundef %n) {
  %i = mul nsw i64 %n, 12
  %e = getelementptr inbounds i8, ptr %p, i64 %i
  ret ptr %e
}
