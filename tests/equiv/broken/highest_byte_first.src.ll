; What would be right if memory had the lowest byte first.
target datalayout = "E-m:e-i64:64-n32:64"

define i8 @first_byte(ptr noundef %p, i32 noundef %v) {
  store i32 %v, ptr %p, align 4
  %byte = load i8, ptr %p, align 4
  ret i8 %byte
}

define i32 @constant(<4 x i8> noundef %v) {
  %n = bitcast <4 x i8> <i8 1, i8 2, i8 3, i8 4> to i32
  ret i32 %n
}
