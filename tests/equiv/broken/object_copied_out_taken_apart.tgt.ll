target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @field_left_out(ptr noundef %p, i32 noundef %a, i64 noundef %b) {
  call void @seen()
  store i32 %a, ptr %p, align 8
  ret void
}

define void @copied_too_early(ptr noundef %p, i32 noundef %a) {
  call void @seen()
  store i32 %a, ptr %p, align 8
  ret void
}

define void @behind_the_block(ptr noundef %p, i64 noundef %a, i32 noundef %b) {
  call void @seen()
  store i64 %a, ptr %p, align 8
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %w = zext i32 %b to i64
  store i64 %w, ptr %q, align 8
  ret void
}

define { i64, i32 } @parts_exchanged() {
  %x = call { i64, i32 } @give()
  %a = extractvalue { i64, i32 } %x, 0
  %b = extractvalue { i64, i32 } %x, 1
  call void @seen()
  %l = trunc i64 %a to i32
  %h = zext i32 %b to i64
  %s = insertvalue { i64, i32 } poison, i64 %h, 0
  %r = insertvalue { i64, i32 } %s, i32 %l, 1
  ret { i64, i32 } %r
}

declare void @seen()
declare { i64, i32 } @give()
