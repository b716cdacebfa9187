; The functions of the source, after the optimiser.
declare i32 @pure(i32) nounwind willreturn memory(none)
declare void @fill(ptr)
declare i32 @asks(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; The second call gives what the first gave.
define i32 @calls_once(i32 noundef %x) {
  %a = call noundef i32 @pure(i32 noundef %x)
  %s = shl i32 %a, 1
  ret i32 %s
}

; The target promises that its parameter is no null pointer.
define i32 @promises_more(ptr noundef nonnull %p) {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}

; The target promises at its call that the argument is no null pointer.
define i32 @promises_at_a_call(ptr noundef %p) {
  %v = load i32, ptr %p, align 4
  %r = call noundef i32 @asks(ptr noundef nonnull %p)
  %s = add i32 %r, %v
  ret i32 %s
}

; The object is known to the function called, so that it lies in memory on both sides.
define i32 @object_in_memory() {
  %o = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %o)
  call void @fill(ptr noundef %o)
  %v = load i32, ptr %o, align 4
  %s = shl i32 %v, 1
  call void @llvm.lifetime.end.p0(i64 4, ptr %o)
  ret i32 %s
}

; Whether the sum of base and index wraps is the same question on both sides.
define ptr @step_that_does_not_wrap(ptr noundef %p, i64 noundef %i) {
  %q = getelementptr nuw i8, ptr %p, i64 %i
  ret ptr %q
}

; An access at a small number is undefined.
define i32 @access_at_a_small_number(i1 noundef %c) {
  ret i32 1
}
