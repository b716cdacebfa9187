; Copying as many bytes as an argument says neither frees memory nor changes what it reads from.
define i32 @accessible(ptr %to, ptr %from, i64 %n, ptr %p, i1 %c) {
  %a = load i32, ptr %p, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  br i1 %c, label %then, label %end

then:
  %b = load i32, ptr %p, align 4
  br label %end

end:
  %r = phi i32 [ %a, %0 ], [ %b, %then ]
  ret i32 %r
}

define i64 @read_from(ptr %to, i64 %n) {
  %x = alloca i64, align 8
  store i64 7, ptr %x, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 %n, i1 false)
  %v = load i64, ptr %x, align 8
  ret i64 %v
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)
