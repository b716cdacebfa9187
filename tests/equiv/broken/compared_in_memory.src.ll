; Fewer bytes are compared, or by another order.
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
declare i32 @memcmp(ptr, ptr, i64)
declare i64 @strlen(ptr)

define i1 @same_word(ptr noundef %a, ptr noundef %b) {
  %d = call i32 @memcmp(ptr noundef %a, ptr noundef %b, i64 4)
  %r = icmp eq i32 %d, 0
  ret i1 %r
}

define i1 @order(ptr noundef %a, ptr noundef %b) {
  %d = call i32 @memcmp(ptr noundef %a, ptr noundef %b, i64 2)
  %r = icmp slt i32 %d, 0
  ret i1 %r
}

define i1 @empty(ptr noundef %a) {
  %n = call i64 @strlen(ptr noundef %a)
  %r = icmp eq i64 %n, 0
  ret i1 %r
}

define i32 @order_the_other_way(i64 noundef %x, i64 noundef %y) {
  %p = alloca i64
  %q = alloca i64
  store i64 %x, ptr %p
  store i64 %y, ptr %q
  %n = call i32 @memcmp(ptr %p, ptr %q, i64 8)
  ret i32 %n
}
