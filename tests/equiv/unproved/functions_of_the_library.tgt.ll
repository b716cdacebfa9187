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
  ret i64 3
}

define i32 @first_bit() {
  ret i32 4
}

define i32 @nothing_compared(ptr noundef %p, ptr noundef %q) {
  ret i32 0
}

define i64 @nothing_written(ptr noundef %p, i64 noundef %size, ptr noundef %file) {
  ret i64 0
}

define void @nothing_freed(ptr noundef %p) {
  ret void
}

define float @without_sign(float noundef %x) {
  %y = call float @llvm.fabs.f32(float %x)
  ret float %y
}
