target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"

define i32 @forwarded(ptr noalias noundef align 4 %p, ptr noundef align 4 %q) {
  store i32 1, ptr %p, align 4
  store i32 2, ptr %q, align 4
  ret i32 1
}

define i32 @hoisted(ptr noalias noundef align 4 %p, ptr noundef align 4 %q) {
  %v = load i32, ptr %p, align 4
  store i32 2, ptr %q, align 4
  ret i32 %v
}

define i32 @dead_store(ptr noalias noundef align 4 %p, ptr noundef align 4 %q) {
  %v = load i32, ptr %q, align 4
  store i32 3, ptr %p, align 4
  ret i32 %v
}

define i32 @field_chosen(ptr noalias noundef align 4 %p, ptr noundef align 4 %q, i1 noundef %c) {
  %next = getelementptr i8, ptr %p, i64 4
  %one = select i1 %c, ptr %p, ptr %next
  store i32 1, ptr %one, align 4
  store i32 2, ptr %q, align 4
  ret i32 1
}

define i32 @walked(ptr noalias noundef align 4 %p, ptr noundef align 4 %q, i32 noundef %n) {
entry:
  br label %head

head:
  %at = phi ptr [ %p, %entry ], [ %next, %head ]
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  store i32 1, ptr %at, align 4
  store i32 2, ptr %q, align 4
  %next = getelementptr i8, ptr %at, i64 4
  %j = add nuw i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %head, label %done

done:
  ret i32 1
}

define i32 @loaded(ptr noalias noundef align 4 %p, ptr noundef align 4 %where) {
  %at = load ptr, ptr %where, align 8
  store i32 1, ptr %p, align 4
  store i32 2, ptr %at, align 4
  ret i32 1
}
