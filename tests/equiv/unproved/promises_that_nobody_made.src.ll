; What nobody promised, which no run here shows.
declare ptr @some()

define i32 @load_behind_the_end(i1 noundef %c, ptr noundef align 4 dereferenceable(3) %p) {
  br i1 %c, label %yes, label %no
yes:
  %v = load i32, ptr %p, align 4
  ret i32 %v
no:
  ret i32 0
}

define i1 @returned_null() {
  %p = call ptr @some()
  %r = icmp eq ptr %p, null
  ret i1 %r
}
