; The functions of the source, after the optimiser.
declare i32 @pure(i32) nounwind willreturn memory(none)
declare void @fill(ptr)
declare i32 @asks(ptr nofree)
declare i32 @gives()
%padded = type { i8, i32 }
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; A function that only computes is one of its arguments.
define i32 @call_that_only_computes(i32 noundef %x, i32 noundef %y) {
  %a = call noundef i32 @pure(i32 noundef %x)
  %b = call noundef i32 @pure(i32 noundef %y)
  %s = add i32 %a, %b
  ret i32 %s
}

; The target promises that it does not call itself.
define i32 @promises_more(ptr noundef %p) norecurse {
  %v = call noundef i32 @gives()
  ret i32 %v
}

; The target declares that a function it calls does not end the object it is given.
define i32 @promises_at_a_call(ptr noundef %p) {
  %v = load i32, ptr %p, align 4
  %r = call noundef i32 @asks(ptr noundef %p)
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

; Each use of an argument that is undef may see another value.
define i32 @argument_read_twice(i32 %x) {
  %a = add i32 %x, %x
  ret i32 %a
}

; Which values poison gets where it is frozen is not followed for more than one.
define i32 @arguments_that_may_be_poison(i32 %x, i32 %y) {
  %a = freeze i32 %y
  %b = freeze i32 %x
  %s = add i32 %a, %b
  ret i32 %s
}

; The same of what calls return.
define i32 @results_that_may_be_poison() {
  %x = call i32 @gives()
  %y = call i32 @gives()
  %a = freeze i32 %y
  %b = freeze i32 %x
  %s = add i32 %a, %b
  ret i32 %s
}

; Pointers to one address may lead to different objects.
define ptr @one_of_two_that_are_equal(ptr noundef %p, ptr noundef %q) {
  ret ptr %p
}

; Bytes between fields are left as they are.
define void @structure_with_padding(ptr noundef %p, i32 noundef %x) {
  %v = insertvalue %padded { i8 1, i32 0 }, i32 %x, 1
  store %padded %v, ptr %p, align 4
  ret void
}

; A sum that may be poison is stored.
define void @poison_that_is_not_stored(ptr noundef %p, i32 noundef %x, i32 noundef %y) {
  %a = add i32 %y, %x
  store i32 %a, ptr %p, align 4
  ret void
}
