; Promises of parameters and results that the target relies on.
declare ptr @find()
declare dereferenceable(2) ptr @find_word()
declare void @stop() noreturn
declare void @llvm.assume(i1)
declare i32 @llvm.bswap.i32(i32)

define i16 @word_behind_a_result(i1 noundef %c) {
start:
  %p = call dereferenceable(2) ptr @find()
  br i1 %c, label %load, label %end
load:
  %v = load i16, ptr %p, align 1
  br label %end
end:
  %r = phi i16 [ %v, %load ], [ 0, %start ]
  ret i16 %r
}

define i16 @word_as_declared(i1 noundef %c) {
start:
  %p = call ptr @find_word()
  br i1 %c, label %load, label %end
load:
  %v = load i16, ptr %p, align 1
  br label %end
end:
  %r = phi i16 [ %v, %load ], [ 0, %start ]
  ret i16 %r
}

define i32 @aligned_and_there(i1 noundef %c, ptr dereferenceable(4) align 4 %p) {
start:
  br i1 %c, label %load, label %end
load:
  %v = load i32, ptr %p, align 4
  br label %end
end:
  %r = phi i32 [ %v, %load ], [ 0, %start ]
  ret i32 %r
}

define i32 @there_as_it_is_not_null(i1 noundef %c, ptr dereferenceable_or_null(4) nonnull %p) {
start:
  br i1 %c, label %load, label %end
load:
  %v = load i32, ptr %p, align 1
  br label %end
end:
  %r = phi i32 [ %v, %load ], [ 0, %start ]
  ret i32 %r
}

define i32 @returns_its_parameter(i32 noundef returned %x) {
  %c = icmp eq i32 %x, 10
  br i1 %c, label %ten, label %other
ten:
  ret i32 11
other:
  ret i32 %x
}

define void @nobody_reads_behind(ptr noundef dead_on_return(8) %p) {
  store i64 1, ptr %p, align 1
  store i64 2, ptr %p, align 1
  ret void
}

define i32 @aligned_as_assumed(ptr noundef %p) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 4) ]
  %v = load i32, ptr %p, align 1
  ret i32 %v
}

define i1 @not_null_as_assumed(ptr noundef %p) {
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %p) ]
  %c = icmp eq ptr %p, null
  ret i1 %c
}

define i32 @defined_as_assumed(i32 %x) {
  call void @llvm.assume(i1 true) [ "noundef"(i32 %x) ]
  %f = freeze i32 %x
  ret i32 %f
}

define i32 @defined_argument_of_an_intrinsic(i32 %x) {
  %s = call i32 @llvm.bswap.i32(i32 noundef %x)
  %f = freeze i32 %s
  ret i32 %f
}

define i32 @behind_a_call_that_does_not_return(ptr noundef %p) {
  call void @stop()
  store i32 1, ptr %p
  ret i32 2
}
