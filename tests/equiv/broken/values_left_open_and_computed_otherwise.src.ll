; The same with another value, or with more left open than the source does.
@here = global i8 0
@there = global i8 0

declare nonnull ptr @nonnull_or_poison()
declare void @look(ptr)

define <4 x i2> @other_lane(<4 x i2> noundef %v) {
  %byte = bitcast <4 x i2> %v to i8
  %turned = lshr i8 %byte, 2
  %back = bitcast i8 %turned to <4 x i2>
  ret <4 x i2> %back
}

define float @quotient() {
  %q = fdiv float 1.0, -4.0
  ret float %q
}

define i32 @fits_an_integer() {
  %i = fptosi double -7.75 to i32
  ret i32 %i
}

define ptr @settled_result() {
  %p = call ptr @nonnull_or_poison()
  %f = freeze ptr %p
  ret ptr %f
}

define i8 @settled_for_good() {
  %f = freeze i8 undef
  ret i8 %f
}

define void @one_of_two_stores() {
  %c = freeze i1 poison
  br i1 %c, label %first, label %second
first:
  store i8 1, ptr @here
  ret void
second:
  store i8 1, ptr @there
  ret void
}

define i8 @behind_padding(ptr noundef %p) {
  store { i8, i32 } { i8 5, i32 6 }, ptr %p
  %q = getelementptr { i8, i32 }, ptr %p, i64 0, i32 1
  %v = load i8, ptr %q
  ret i8 %v
}

define i8 @undef_above_a_bound(i8 noundef %x) {
  %o = or i8 undef, 4
  ret i8 %o
}

define i8 @null_is_a_place(ptr noundef %p) null_pointer_is_valid {
  store i8 3, ptr null
  store i8 4, ptr %p
  %v = load i8, ptr null
  ret i8 %v
}

define void @calls_what_nobody_knows(ptr noundef %p) {
  call void @look(ptr %p)
  ret void
}
