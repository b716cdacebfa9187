define i64 @written_to(ptr %from, i64 %n) {
  %x = alloca i64, align 8
  store i64 7, ptr %x, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %from, i64 %n, i1 false)
  ret i64 7
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)
