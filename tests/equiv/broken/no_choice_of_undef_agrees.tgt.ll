define i1 @greater_than_the_greatest(i1 noundef %c, i32 noundef %y) {
  %s = icmp sgt i32 7, %y
  %r = or i1 %c, %s
  ret i1 %r
}

define <2 x i32> @remainder_by_one(<2 x i32> noundef %x) {
  %c = icmp ne <2 x i32> %x, <i32 1, i32 undef>
  %r = zext <2 x i1> %c to <2 x i32>
  ret <2 x i32> %r
}

define i32 @frozen_for_all_who_read_it() {
  ret i32 undef
}

define i64 @only_multiples_of_eight() {
  ret i64 undef
}

define i16 @not_above_a_byte() {
  ret i16 undef
}
