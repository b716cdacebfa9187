; Two functions that only compute give what they like, each its own.
declare ptr @loc() #0
declare ptr @other() #0
define i32 @f(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %s = phi i32 [ 0, %entry ], [ %t, %next ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %next, label %out
next:
  %q = call ptr @loc()
  %r = load ptr, ptr %q
  %ch = load i8, ptr %p
  %z = zext i8 %ch to i64
  %g = getelementptr i32, ptr %r, i64 %z
  %v = load i32, ptr %g
  %t = add i32 %s, %v
  %j = add i64 %i, 1
  br label %loop
out:
  ret i32 %s
}
attributes #0 = { nounwind willreturn memory(none) }
