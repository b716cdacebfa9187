declare void @fill(ptr noundef)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
define i32 @f() {
  %x = alloca i32
  %y = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store i32 7, ptr %x
  call void @fill(ptr noundef %x)
  %a = load i32, ptr %x
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  call void @llvm.lifetime.start.p0(i64 4, ptr %y)
  store i32 7, ptr %y
  call void @fill(ptr noundef %y)
  %b = load i32, ptr %y
  call void @llvm.lifetime.end.p0(i64 4, ptr %y)
  %r = sub i32 %a, %b
  ret i32 %r
}
