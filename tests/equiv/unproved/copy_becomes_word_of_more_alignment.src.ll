; A copy of bytes that are aligned by four.
%pair = type { i64, i8 }

declare void @use(ptr, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @copy(ptr noundef %p) {
  %t = alloca %pair, align 8
  %u = alloca [8 x i8], align 1
  %q = getelementptr inbounds %pair, ptr %p, i32 0, i32 0
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %t, ptr align 4 %q, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr align 1 %u, i8 0, i64 8, i1 false)
  call void @use(ptr noundef %t, ptr noundef %u)
  ret void
}
