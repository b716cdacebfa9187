; A product and a sum that may be fused, or not, are the same operation in both programs; its factors may change places.
define double @dot(ptr noundef %p, double noundef %by, i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum1, %loop ]
  %at = sext i32 %i to i64
  %cell = getelementptr inbounds double, ptr %p, i64 %at
  %v = load double, ptr %cell
  %sum1 = call double @llvm.fmuladd.f64(double %v, double %by, double %sum)
  %i1 = add nsw i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum1
}
declare double @llvm.fmuladd.f64(double, double, double)
