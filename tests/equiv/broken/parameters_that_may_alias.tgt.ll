target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"

define i32 @forwarded(ptr noundef align 4 %p, ptr noundef align 4 %q) {
  store i32 1, ptr %p, align 4
  store i32 2, ptr %q, align 4
  ret i32 1
}

define i32 @hoisted(ptr noundef align 4 %p, ptr noundef align 4 %q) {
  %v = load i32, ptr %p, align 4
  store i32 2, ptr %q, align 4
  ret i32 %v
}

define i32 @dead_store(ptr noundef align 4 %p, ptr noundef align 4 %q) {
  %v = load i32, ptr %q, align 4
  store i32 3, ptr %p, align 4
  ret i32 %v
}
