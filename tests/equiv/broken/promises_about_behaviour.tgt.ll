declare void @f()
declare i8 @byte_of(ptr)
declare nonnull ptr @never_null()
declare i32 @llvm.ctpop.i32(i32)
declare void @llvm.sideeffect()

define void @call_that_returns() {
  call void @f() noreturn
  ret void
}

define i8 @argument_that_is_read(ptr noundef %p) {
  %v = call i8 @byte_of(ptr readnone %p)
  ret i8 %v
}

define void @store_in_a_reader(ptr noundef %p) memory(read) {
  store i8 1, ptr %p
  ret void
}

define void @store_through_a_readonly_parameter(ptr noundef readonly %p) {
  %q = getelementptr i8, ptr %p, i64 1
  store i8 1, ptr %q
  ret void
}

define noundef i1 @bits_of_zero(i32 noundef %x) {
  %n = call range(i32 1, 33) i32 @llvm.ctpop.i32(i32 %x)
  %r = icmp eq i32 %n, 1
  ret i1 %r
}

define nonnull ptr @result_that_may_be_null(ptr noundef %p) {
  ret ptr %p
}

define ptr @pointer_kept_inside(ptr noundef nocapture %p, ptr noundef %q) {
  %e = icmp eq ptr %p, %q
  br i1 %e, label %yes, label %no
yes:
  ret ptr %p
no:
  ret ptr null
}

define i32 @side_effect_dropped() {
  ret i32 1
}

define i32 @returns_after_all(i32 noundef %x) noreturn {
  ret i32 %x
}
