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
