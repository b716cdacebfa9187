; The first of the loads made before; nothing else is done until then.
define void @clear(ptr noundef %p, ptr noundef %q, i64 noundef %n) {
entry:
  %first = load i8, ptr %q, align 1
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %v = load i8, ptr %q, align 1
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %done

body:
  %next = add i64 %i, 1
  br label %head

done:
  store i8 %v, ptr %p, align 1
  ret void
}
