target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"
declare i16 @llvm.bswap.i16(i16)

define i1 @same_word(ptr noundef %a, ptr noundef %b) {
  %x = load i32, ptr %a, align 1
  %y = load i32, ptr %b, align 1
  %r = icmp eq i32 %x, %y
  ret i1 %r
}

define i32 @one_byte(ptr noundef %a, ptr noundef %b) {
  %x = load i8, ptr %a, align 1
  %y = load i8, ptr %b, align 1
  %p = zext i8 %x to i32
  %q = zext i8 %y to i32
  %d = sub i32 %p, %q
  ret i32 %d
}

define i1 @order(ptr noundef %a, ptr noundef %b) {
  %x = load i16, ptr %a, align 1
  %y = load i16, ptr %b, align 1
  %p = call i16 @llvm.bswap.i16(i16 %x)
  %q = call i16 @llvm.bswap.i16(i16 %y)
  %r = icmp ult i16 %p, %q
  ret i1 %r
}

define i1 @empty(ptr noundef %a) {
  %x = load i8, ptr %a, align 1
  %r = icmp eq i8 %x, 0
  ret i1 %r
}
