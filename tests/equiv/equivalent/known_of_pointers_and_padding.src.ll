; A constant that a pointer is compared with, functions that a call is said to be one of, an object that nobody looks at,
; the padding of constants, lanes and addresses that are undef.

%pair = type { i32, i8 }
@known = constant i32 10
@other = external global ptr
declare i8 @one()

define i32 @compared_with_a_constant(ptr noundef %p) {
  %v = load i32, ptr %p
  %c = icmp eq ptr %p, @known
  %r = select i1 %c, i32 %v, i32 10
  ret i32 %r
}

define i8 @one_callee() {
  %p = load ptr, ptr @other
  %r = call i8 %p(), !callees !0
  ret i8 %r
}

define i32 @unread_object(i32 noundef %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %out, label %in

in:
  %o = alloca i8, i32 %n
  br label %out

out:
  ret i32 %n
}

define void @cleared(ptr noundef %p) {
  store %pair zeroinitializer, ptr %p
  ret void
}

define i16 @read_with_its_padding(ptr noundef %p) {
  store %pair { i32 7, i8 9 }, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %r = load i16, ptr %q
  ret i16 %r
}

define <2 x i1> @lane_like_the_other(<2 x i4> noundef %x, <2 x i4> noundef %y) {
  %d = udiv <2 x i4> <i4 undef, i4 -1>, %x
  %r = icmp uge <2 x i4> %d, %y
  ret <2 x i1> %r
}

define ptr @address_behind_any(i64 noundef %n) {
  %r = getelementptr i32, ptr undef, i64 %n
  ret ptr %r
}

!0 = !{ptr @one, ptr @one}
