target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"

declare void @keep(ptr noundef)
declare ptr @same(ptr noundef)

define i32 @based_on_it(ptr noalias noundef align 4 %p, ptr noundef align 4 %q, i64 noundef %i) {
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %p, align 4
  store i32 2, ptr %at, align 4
  ret i32 1
}

define i32 @chosen(ptr noalias noundef align 4 %p, ptr noundef align 4 %q, i1 noundef %c) {
  %at = select i1 %c, ptr %p, ptr %q
  store i32 1, ptr %p, align 4
  store i32 2, ptr %at, align 4
  ret i32 1
}

define i32 @loaded_behind_a_store(ptr noalias noundef align 4 %p, ptr noundef align 4 %where) {
  store ptr %p, ptr %where, align 8
  %at = load ptr, ptr %where, align 8
  store i32 1, ptr %p, align 4
  store i32 2, ptr %at, align 4
  ret i32 1
}

define i32 @given_back(ptr noalias noundef align 4 %p, ptr noundef align 4 %q) {
  %at = call ptr @same(ptr noundef nocapture %p)
  store i32 1, ptr %p, align 4
  store i32 2, ptr %at, align 4
  ret i32 1
}

define i32 @made_of_a_number(ptr noalias noundef align 4 %p, ptr noundef align 4 %q, i64 noundef %n) {
  %at = inttoptr i64 %n to ptr
  store i32 1, ptr %p, align 4
  store i32 2, ptr %at, align 4
  ret i32 1
}

define i32 @handed_on(ptr noalias noundef align 4 %p, ptr noundef align 4 %where) {
  call void @keep(ptr noundef %p)
  %at = load ptr, ptr %where, align 8
  store i32 1, ptr %p, align 4
  store i32 2, ptr %at, align 4
  ret i32 1
}

define i32 @nothing_is_written(ptr noalias noundef align 4 %p, ptr noundef align 4 %q) {
  %a = load i32, ptr %p, align 4
  %b = load i32, ptr %q, align 4
  ret i32 0
}
