; What the target promises of functions and calls that the source does not, and what comes of promises that are broken.
declare void @f()
declare i8 @byte_of(ptr)
declare nonnull ptr @never_null()
declare i32 @llvm.ctpop.i32(i32)
declare void @llvm.sideeffect()

define void @call_that_returns() {
  call void @f()
  ret void
}

define i8 @argument_that_is_read(ptr noundef %p) {
  %v = call i8 @byte_of(ptr %p)
  ret i8 %v
}

define void @store_in_a_reader(ptr noundef %p) {
  store i8 1, ptr %p
  ret void
}

define void @store_through_a_readonly_parameter(ptr noundef %p) {
  %q = getelementptr i8, ptr %p, i64 1
  store i8 1, ptr %q
  ret void
}

define noundef i1 @bits_of_zero(i32 noundef %x) {
  %some = icmp ne i32 %x, 0
  %n = call range(i32 1, 33) i32 @llvm.ctpop.i32(i32 %x)
  %few = icmp ult i32 %n, 2
  %r = select i1 %some, i1 %few, i1 false
  ret i1 %r
}

define ptr @result_that_may_be_null(ptr noundef %p) {
  ret ptr %p
}

define ptr @pointer_kept_inside(ptr noundef nocapture %p, ptr noundef %q) {
  %e = icmp eq ptr %p, %q
  br i1 %e, label %yes, label %no
yes:
  ret ptr %q
no:
  ret ptr null
}

define i32 @side_effect_dropped() {
  call void @llvm.sideeffect()
  ret i32 1
}

define i32 @returns_after_all(i32 noundef %x) {
  ret i32 %x
}
