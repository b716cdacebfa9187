define void @shifted_by_a_byte(ptr %state, ptr %table) {
  %place = getelementptr inbounds i8, ptr %table, i64 11
  %log = load i8, ptr %place, align 1
  %wide = zext nneg i8 %log to i32
  %size = shl nuw i32 1, %wide
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %more = icmp slt i32 %i, %size
  br i1 %more, label %body, label %done
body:
  %field = getelementptr inbounds i8, ptr %table, i64 24
  %array = load ptr, ptr %field, align 8
  %index = zext nneg i32 %i to i64
  %slot = getelementptr inbounds i64, ptr %array, i64 %index
  %tag = load i8, ptr %slot, align 8
  %empty = icmp eq i8 %tag, 0
  br i1 %empty, label %latch, label %insert
insert:
  call void @insert(ptr %state, ptr %slot)
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  br label %head
done:
  ret void
}

declare void @insert(ptr, ptr)
