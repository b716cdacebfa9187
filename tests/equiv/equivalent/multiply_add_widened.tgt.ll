define double @dot(ptr noundef %p, double noundef %by, i32 noundef %n) {
entry:
  %wide = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum1, %loop ]
  %cell = getelementptr inbounds double, ptr %p, i64 %i
  %v = load double, ptr %cell
  %sum1 = call double @llvm.fmuladd.f64(double %by, double %v, double %sum)
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i1, %wide
  br i1 %more, label %loop, label %done
done:
  ret double %sum1
}
declare double @llvm.fmuladd.f64(double, double, double)
