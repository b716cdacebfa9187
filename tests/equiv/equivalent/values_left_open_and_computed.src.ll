; Lanes that pass through one integer, numbers that are computed, and choices that the source leaves open.
declare void @use(half, bfloat)
declare ptr @nonnull_or_poison()
declare void @look()

define i8 @lanes_of_a_byte(i8 %v) {
  %lanes = bitcast i8 %v to <4 x i2>
  %back = bitcast <4 x i2> %lanes to i8
  ret i8 %back
}

define <4 x i2> @byte_of_lanes(<4 x i2> %v) {
  %byte = bitcast <4 x i2> %v to i8
  %back = bitcast i8 %byte to <4 x i2>
  ret <4 x i2> %back
}

define <2 x i32> @lane_left_open(<2 x i32> %v) {
  %s = shufflevector <2 x i32> %v, <2 x i32> poison, <2 x i32> <i32 1, i32 undef>
  ret <2 x i32> %s
}

define void @short_numbers() {
  call void @use(half 1.5, bfloat 2.0)
  ret void
}

define float @quotient() {
  %q = fdiv float 1.0, -4.0
  ret float %q
}

define i32 @cut_to_an_integer() {
  %i = fptosi double -7.75 to i32
  ret i32 %i
}

define i8 @each_use_of_undef_anew() {
  %s = add i8 undef, 1
  %c = icmp eq i8 %s, 9
  br i1 %c, label %one, label %two
one:
  ret i8 1
two:
  ret i8 2
}

define i8 @null_is_a_place(ptr noundef %p) null_pointer_is_valid {
  store i8 3, ptr null
  %v = load i8, ptr null
  ret i8 %v
}
