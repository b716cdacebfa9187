; A loop that may do nothing, or not end, before the load.
declare void @tick()
define void @clear(ptr noundef %p, ptr noundef %q, i64 noundef %n) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %done

body:
  call void @tick()
  %next = add i64 %i, 1
  br label %head

done:
  %v = load i8, ptr %q, align 1
  store i8 %v, ptr %p, align 1
  ret void
}
