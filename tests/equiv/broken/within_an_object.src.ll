; Other addresses in the object that a pointer leads to, and one beyond it.
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
define i64 @another_field(ptr noundef %p) {
  %q = getelementptr inbounds { i32, i64 }, ptr %p, i32 0, i32 1
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %r = sub i64 %b, %a
  ret i64 %r
}

define i8 @another_byte(ptr noundef %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 2
  %v = load i8, ptr %q
  ret i8 %v
}

define ptr @made_inbounds(ptr noundef %p) {
  %x = load i8, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  ret ptr %q
}
