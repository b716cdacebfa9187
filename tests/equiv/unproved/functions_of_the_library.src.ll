; Results that the arguments of library functions do not decide, or decide otherwise.
@word = constant [6 x i8] c"plumb\00"
declare i64 @strlen(ptr)
declare i32 @ffs(i32)
declare i32 @memcmp(ptr, ptr, i64)
declare i64 @fwrite(ptr, i64, i64, ptr)
declare void @free(ptr)
declare float @fabsf(float)
declare float @llvm.fabs.f32(float)

define i64 @length() {
  %p = getelementptr i8, ptr @word, i64 1
  %n = call i64 @strlen(ptr %p)
  ret i64 %n
}

define i32 @first_bit() {
  %n = call i32 @ffs(i32 16)
  ret i32 %n
}

define i32 @nothing_compared(ptr noundef %p, ptr noundef %q) {
  %n = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  ret i32 %n
}

define i64 @nothing_written(ptr noundef %p, i64 noundef %size, ptr noundef %file) {
  %n = call i64 @fwrite(ptr %p, i64 %size, i64 1, ptr %file)
  ret i64 %n
}

define void @nothing_freed(ptr noundef %p) {
  call void @free(ptr %p)
  ret void
}

define float @without_sign(float noundef %x) {
  %y = call float @fabsf(float %x)
  %z = fneg float %y
  ret float %z
}
