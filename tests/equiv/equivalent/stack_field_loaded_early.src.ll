; A field of a stack object is loaded before it is known whether it is needed.
define i32 @f(i64 noundef %0) {
  %s = alloca [4 x i32], align 8
  call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 16, i1 false)
  %c = call i32 @fill(ptr noundef %s)
  %z = icmp eq i32 %c, 0
  br i1 %z, label %yes, label %no
yes:
  %p = getelementptr inbounds [4 x i32], ptr %s, i32 0, i32 2
  %v = load i32, ptr %p, align 8
  %g = icmp ugt i32 %v, 0
  br i1 %g, label %more, label %no
more:
  ret i32 1
no:
  ret i32 2
}
declare i32 @fill(ptr noundef)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)
