; The same, but only the target says that sums do not wrap.

define i32 @count(ptr noundef %list, i32 noundef %key) {
entry:
  br label %head

head:                                             ; preds = %next, %entry
  %n.0 = phi i32 [ 0, %entry ], [ %n.1, %next ]
  %p.0 = phi ptr [ %list, %entry ], [ %step, %next ]
  %item = load i32, ptr %p.0, align 4
  %more = icmp ne i32 %item, 0
  br i1 %more, label %body, label %exit

body:                                             ; preds = %head
  %same = icmp eq i32 %item, %key
  br i1 %same, label %found, label %next

found:                                            ; preds = %body
  %new = add nsw i32 %n.0, 1
  br label %next

next:                                             ; preds = %found, %body
  %n.1 = phi i32 [ %new, %found ], [ %n.0, %body ]
  %step = getelementptr inbounds i32, ptr %p.0, i64 1
  br label %head

exit:                                             ; preds = %head
  ret i32 %n.0
}
