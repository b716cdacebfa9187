; Each choice of the source's undef gives another number, and none of them what the target gives.

define i1 @greater_than_the_greatest(i1 noundef %c, i32 noundef %y) {
  %s = select i1 %c, i32 undef, i32 7
  %r = icmp sgt i32 %s, %y
  ret i1 %r
}

define <2 x i32> @remainder_by_one(<2 x i32> noundef %x) {
  %r = urem <2 x i32> <i32 1, i32 undef>, %x
  ret <2 x i32> %r
}

define i32 @frozen_for_all_who_read_it() {
  %r = freeze i32 undef
  ret i32 %r
}

define i64 @only_multiples_of_eight() {
  %r = shl i64 undef, 3
  ret i64 %r
}

define i16 @not_above_a_byte() {
  %r = zext i8 undef to i16
  ret i16 %r
}
