; Copying as many bytes as an argument says may change what was read before.
define i32 @written(ptr %to, ptr %from, i64 %n, ptr %p) {
  %a = load i32, ptr %p, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  %b = load i32, ptr %p, align 4
  ret i32 %b
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)
