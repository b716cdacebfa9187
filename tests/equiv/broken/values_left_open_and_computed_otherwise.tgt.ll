; The same with another value, or with more left open than the source does.
@here = global i8 0
@there = global i8 0

declare nonnull ptr @nonnull_or_poison()
declare void @look(ptr)

define <4 x i2> @other_lane(<4 x i2> noundef %v) {
  %byte = bitcast <4 x i2> %v to i8
  %turned = lshr i8 %byte, 4
  %back = bitcast i8 %turned to <4 x i2>
  ret <4 x i2> %back
}

define float @quotient() {
  ret float 0.25
}

define i32 @fits_an_integer() {
  ret i32 poison
}

define ptr @settled_result() {
  %p = call ptr @nonnull_or_poison()
  ret ptr %p
}

define i8 @settled_for_good() {
  ret i8 undef
}

define void @one_of_two_stores() {
  ret void
}

define i8 @behind_padding(ptr noundef %p) {
  store { i8, i32 } { i8 5, i32 6 }, ptr %p
  %q = getelementptr { i8, i32 }, ptr %p, i64 0, i32 1
  %v = load i8, ptr %q
  ret i8 7
}

define i8 @undef_above_a_bound(i8 noundef %x) {
  ret i8 3
}

define i8 @null_is_a_place(ptr noundef %p) null_pointer_is_valid {
  store i8 3, ptr null
  store i8 4, ptr %p
  ret i8 3
}

define void @calls_what_nobody_knows(ptr noundef %p) {
  ret void
}
