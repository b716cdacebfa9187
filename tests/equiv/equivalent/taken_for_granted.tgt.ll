; The functions of the source, after the optimiser.
declare i32 @pure(i32) nounwind willreturn memory(none)
declare void @fill(ptr)
declare i32 @asks(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; A function that only computes is one of its arguments.
define i32 @call_that_only_computes(i32 noundef %x, i32 noundef %y) {
  %a = call noundef i32 @pure(i32 noundef %x)
  %b = call noundef i32 @pure(i32 noundef %y)
  %s = add i32 %a, %b
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
define ptr @step_that_does_not_wrap(ptr noundef %p, i64 noundef %i, i64 noundef %j) {
  %k = add i64 %i, %j
  %q = getelementptr nuw i8, ptr %p, i64 %k
  ret ptr %q
}

; An access at a small number is undefined.
define i32 @access_at_a_small_number(i1 noundef %c) {
  ret i32 1
}

; An argument that may be poison is taken to be none.
define i32 @argument_that_may_be_poison(i32 %x) {
  %a = shl i32 %x, 1
  ret i32 %a
}

; A sum that may be poison is stored.
define void @poison_that_is_not_stored(ptr noundef %p, i32 noundef %x, i32 noundef %y) {
  %a = add i32 %y, %x
  store i32 %a, ptr %p, align 4
  ret void
}
