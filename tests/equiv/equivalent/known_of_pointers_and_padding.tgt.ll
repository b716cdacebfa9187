%pair = type { i32, i8 }
@known = constant i32 10
@other = external global ptr
declare i8 @one()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare { <2 x i4>, <2 x i1> } @llvm.umul.with.overflow.v2i4(<2 x i4>, <2 x i4>)

define i32 @compared_with_a_constant(ptr noundef %p) {
  ret i32 10
}

define i8 @one_callee() {
  %r = call i8 @one()
  ret i8 %r
}

define i32 @unread_object(i32 noundef %n) {
  ret i32 %n
}

define void @cleared(ptr noundef %p) {
  call void @llvm.memset.p0.i64(ptr align 4 %p, i8 0, i64 8, i1 false)
  ret void
}

define i16 @read_with_its_padding(ptr noundef %p) {
  store %pair { i32 7, i8 9 }, ptr %p
  ret i16 9
}

define <2 x i1> @lane_like_the_other(<2 x i4> noundef %x, <2 x i4> noundef %y) {
  %m = call { <2 x i4>, <2 x i1> } @llvm.umul.with.overflow.v2i4(<2 x i4> %x, <2 x i4> %y)
  %o = extractvalue { <2 x i4>, <2 x i1> } %m, 1
  %r = xor <2 x i1> %o, <i1 true, i1 true>
  ret <2 x i1> %r
}

define ptr @address_behind_any(i64 noundef %n) {
  ret ptr undef
}
