define i32 @accessible(ptr %to, ptr %from, i64 %n, ptr %p, i1 %c) {
  %a = load i32, ptr %p, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  %b = load i32, ptr %p, align 4
  %r = select i1 %c, i32 %b, i32 %a
  ret i32 %r
}

define i64 @read_from(ptr %to, i64 %n) {
  %x = alloca i64, align 8
  store i64 7, ptr %x, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 %n, i1 false)
  ret i64 7
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)
