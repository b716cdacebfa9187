target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

define i1 @same_word(ptr noundef %a, ptr noundef %b) {
  %x = load i16, ptr %a, align 1
  %y = load i16, ptr %b, align 1
  %r = icmp eq i16 %x, %y
  ret i1 %r
}

define i1 @order(ptr noundef %a, ptr noundef %b) {
  %x = load i16, ptr %a, align 1
  %y = load i16, ptr %b, align 1
  %r = icmp ult i16 %x, %y
  ret i1 %r
}

define i1 @empty(ptr noundef %a) {
  %x = load i8, ptr %a, align 1
  %r = icmp ne i8 %x, 0
  ret i1 %r
}

define i32 @order_the_other_way(i64 noundef %x, i64 noundef %y) {
  %lt = icmp ult i64 %x, %y
  %eq = icmp eq i64 %x, %y
  %r = select i1 %eq, i32 0, i32 1
  %n = select i1 %lt, i32 -1, i32 %r
  ret i32 %n
}
