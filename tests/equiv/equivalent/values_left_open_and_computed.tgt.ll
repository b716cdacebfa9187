; Lanes that pass through one integer, numbers that are computed, and choices that the source leaves open.
declare void @use(half, bfloat)
declare ptr @nonnull_or_poison()
declare void @look()

define i8 @lanes_of_a_byte(i8 %v) {
  ret i8 %v
}

define <4 x i2> @byte_of_lanes(<4 x i2> %v) {
  ret <4 x i2> %v
}

define <2 x i32> @lane_left_open(<2 x i32> %v) {
  %s = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> <i32 1, i32 undef>
  ret <2 x i32> %s
}

define void @short_numbers() {
  call void @use(half 0xH3E00, bfloat 0xR4000)
  ret void
}

define float @quotient() {
  ret float -0.25
}

define i32 @cut_to_an_integer() {
  ret i32 -7
}

define i8 @each_use_of_undef_anew() {
  unreachable
}

define i8 @null_is_a_place(ptr noundef %p) null_pointer_is_valid {
  store i8 3, ptr null
  ret i8 3
}
