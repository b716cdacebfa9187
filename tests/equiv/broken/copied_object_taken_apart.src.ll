target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @other_field(ptr noundef %p) {
  %o = alloca { i64, i32 }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %o, ptr align 8 %p, i64 16, i1 false)
  %q = getelementptr inbounds { i64, i32 }, ptr %o, i32 0, i32 1
  %y = load i32, ptr %q, align 8
  call void @take(i32 noundef %y)
  ret void
}

define void @loaded_too_late(ptr noundef %p) {
  %o = alloca { i64, i32 }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %o, ptr align 8 %p, i64 16, i1 false)
  store i64 7, ptr %p, align 8
  %x = load i32, ptr %o, align 8
  call void @take(i32 noundef %x)
  ret void
}

define void @more_aligned(ptr noundef %p) {
  %o = alloca { i64, i32 }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %o, ptr align 2 %p, i64 16, i1 false)
  %x = load i32, ptr %o, align 8
  call void @take(i32 noundef %x)
  ret void
}

define void @copy_more_aligned(ptr noundef %p) {
  %o = alloca { i64, i32 }, align 8
  %one_side = alloca [24 x i8], align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %one_side, ptr align 1 %p, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %o, ptr align 2 %p, i64 16, i1 false)
  %x = load i32, ptr %o, align 8
  call void @take(i32 noundef %x)
  ret void
}

define void @left_uncleared(ptr noundef %p) {
  %o = alloca { i64, i32 }, align 8
  call void @llvm.memset.p0.i64(ptr align 8 %o, i8 1, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %o, ptr align 8 %p, i64 4, i1 false)
  %q = getelementptr inbounds i8, ptr %o, i64 4
  %y = load i32, ptr %q, align 4
  call void @take(i32 noundef %y)
  ret void
}

declare void @take(i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
