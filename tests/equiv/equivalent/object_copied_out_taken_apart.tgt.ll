target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @field_by_field(ptr noundef %p, i32 noundef %a, i64 noundef %b) {
  call void @seen()
  store i32 %a, ptr %p, align 8
  %q = getelementptr inbounds i8, ptr %p, i64 8
  store i64 %b, ptr %q, align 8
  ret void
}

define void @stored_on_one_way(ptr noundef %p, i32 noundef %a, i1 noundef %c) {
  call void @seen()
  store i32 %a, ptr %p, align 8
  br i1 %c, label %yes, label %no
yes:
  %q = getelementptr inbounds i8, ptr %p, i64 8
  store i64 7, ptr %q, align 8
  br label %no
no:
  ret void
}

define { i64, i32 } @result_through_two_objects() {
  %x = call { i64, i32 } @give()
  %a = extractvalue { i64, i32 } %x, 0
  %b = extractvalue { i64, i32 } %x, 1
  call void @seen()
  %s = insertvalue { i64, i32 } poison, i64 %a, 0
  %r = insertvalue { i64, i32 } %s, i32 %b, 1
  ret { i64, i32 } %r
}

declare void @seen()
declare { i64, i32 } @give()
