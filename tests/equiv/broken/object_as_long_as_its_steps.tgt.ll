declare ptr @get(ptr, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define i32 @long_enough(ptr %m) {
  %e = alloca [5 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %e, i8 0, i64 20, i1 false)
  %p = call ptr @get(ptr %m, ptr %e)
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %r = getelementptr inbounds i8, ptr %e, i64 16
  store i32 5, ptr %r, align 4
  store i32 7, ptr %q, align 4
  %y = load i32, ptr %r, align 4
  ret i32 5
}

define i32 @anywhere(ptr %m) {
  %e = alloca i32, align 4
  store i32 0, ptr %e, align 4
  %p = call ptr @get(ptr %m, ptr %e)
  %q = getelementptr i8, ptr %p, i64 16
  store i32 5, ptr %e, align 4
  store i32 7, ptr %q, align 4
  %y = load i32, ptr %e, align 4
  ret i32 5
}

define i32 @there_and_back(ptr %m) {
  %e = alloca i64, align 8
  store i64 0, ptr %e, align 8
  %p = call ptr @get(ptr %m, ptr %e)
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %r = getelementptr inbounds i8, ptr %q, i64 -4
  store i64 5, ptr %e, align 8
  store i32 7, ptr %r, align 4
  %y = load i64, ptr %e, align 8
  %z = add i32 5, 0
  ret i32 %z
}
