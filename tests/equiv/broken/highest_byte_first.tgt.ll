target datalayout = "E-m:e-i64:64-n32:64"

define i8 @first_byte(ptr noundef %p, i32 noundef %v) {
  store i32 %v, ptr %p, align 4
  %byte = trunc i32 %v to i8
  ret i8 %byte
}

define i32 @constant(<4 x i8> noundef %v) {
  ret i32 67305985
}
