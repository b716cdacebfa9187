; Which of two ways an address is made does not matter where no index is negative: objects have no holes. A call between the
; computations may give memory back, which changes no object that an address lies in.
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
%entry = type { [80 x i8], [16 x i8], i32 }

declare void @visit(ptr noundef)
declare void @change(ptr noundef)

define void @field_of_an_element(ptr noundef %p) {
  %element = getelementptr inbounds %entry, ptr %p, i64 1
  %last = getelementptr inbounds %entry, ptr %element, i32 0, i32 2
  call void @visit(ptr noundef %last)
  call void @visit(ptr noundef %p)
  %field = getelementptr inbounds %entry, ptr %element, i32 0, i32 1
  call void @change(ptr noundef %field)
  ret void
}

define void @field_of_each(ptr noundef %p, i32 noundef %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done

body:
  %at = zext nneg i32 %i to i64
  %element = getelementptr inbounds %entry, ptr %p, i64 %at
  %last = getelementptr inbounds %entry, ptr %element, i32 0, i32 2
  call void @visit(ptr noundef %last)
  %again = getelementptr inbounds %entry, ptr %p, i64 %at
  %field = getelementptr inbounds %entry, ptr %again, i32 0, i32 1
  call void @change(ptr noundef %field)
  %next = add nuw nsw i32 %i, 1
  br label %head

done:
  ret void
}
