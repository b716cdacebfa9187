; Sums of neighbours, bytes chosen by others, and sums of products of bytes.
define i16 @sum_of_the_upper_pair(<8 x i16> noundef %a, <8 x i16> noundef %b) {
  %x = extractelement <8 x i16> %b, i64 6
  %y = extractelement <8 x i16> %b, i64 7
  %v = add i16 %x, %y
  ret i16 %v
}

define i16 @difference_that_saturates(<8 x i16> noundef %a) {
  ret i16 32767
}

define i8 @byte_that_is_chosen(<16 x i8> noundef %a) {
  %v = extractelement <16 x i8> %a, i64 3
  ret i8 %v
}

define i16 @products_that_saturate(<16 x i8> noundef %a) {
  ret i16 32767
}
