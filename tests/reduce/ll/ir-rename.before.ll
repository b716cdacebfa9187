define i32 @f(i1 %cond, i32 %0) {
  br i1 %cond, label %then, label %"if end"

then:
  br label %"if end"

"if end":
  %2 = phi i32 [ %0, %1 ], [ 7, %then ]
  ret i32 %2
}
