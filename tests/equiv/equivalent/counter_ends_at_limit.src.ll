; Behind a loop that goes on while its counter is below two limits the counter is the lower of them.
define i32 @count(i32 noundef %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %n
  %small = icmp ult i32 %i, 10
  %go = and i1 %more, %small
  br i1 %go, label %body, label %exit

body:
  call void @step(i32 noundef %i)
  %next = add i32 %i, 1
  br label %head

exit:
  ret i32 %i
}

declare void @step(i32)
