target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
define i64 @another_field(ptr noundef %p) {
  ret i64 4
}

define i8 @another_byte(ptr noundef %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 1
  %v = load i8, ptr %q
  ret i8 %v
}

define ptr @made_inbounds(ptr noundef %p) {
  %x = load i8, ptr %p
  %q = getelementptr inbounds i8, ptr %p, i64 8
  ret ptr %q
}
