; Objects in memory that one side alone has: nobody sees them before the function returns.
define i16 @chosen_object(i1 noundef %c) {
  %a = alloca i16
  %b = alloca i16
  store i16 7, ptr %a
  store i16 9, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  %v = load i16, ptr %p
  ret i16 %v
}

define i8 @copied_object() {
  %a = alloca [16 x i8]
  %b = alloca [16 x i8]
  store i8 3, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 16, i1 false)
  %v = load i8, ptr %b
  ret i8 %v
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
