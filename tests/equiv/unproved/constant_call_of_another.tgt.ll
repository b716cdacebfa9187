; Another one is asked.
declare ptr @loc() #0
declare ptr @other() #0
define i32 @f(ptr %p, i64 %n) {
entry:
  %e = icmp eq i64 %n, 0
  br i1 %e, label %out, label %pre
pre:
  %q = call ptr @other()
  %r = load ptr, ptr %q
  %ch = load i8, ptr %p
  %z = zext i8 %ch to i64
  %g = getelementptr i32, ptr %r, i64 %z
  %v = load i32, ptr %g
  br label %next
next:
  %i = phi i64 [ 0, %pre ], [ %j, %next ]
  %s = phi i32 [ 0, %pre ], [ %t, %next ]
  %t = add i32 %s, %v
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %next, label %out
out:
  %w = phi i32 [ 0, %entry ], [ %t, %next ]
  ret i32 %w
}
attributes #0 = { nounwind willreturn memory(none) }
