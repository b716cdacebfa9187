declare void @g(i64)
define void @f(i32 %a, i16 %b) {
  %o = alloca { i32, i16 }, align 4
  store i32 %a, ptr %o, align 4
  %q = getelementptr inbounds { i32, i16 }, ptr %o, i32 0, i32 1
  store i16 %b, ptr %q, align 4
  %v = load i64, ptr %o, align 4
  call void @g(i64 %v)
  ret void
}
