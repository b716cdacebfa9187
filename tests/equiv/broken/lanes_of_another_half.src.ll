; The same of other lanes, and beyond the other bound.
declare <8 x i16> @llvm.x86.ssse3.phadd.w.128(<8 x i16>, <8 x i16>)
declare <8 x i16> @llvm.x86.ssse3.phsub.sw.128(<8 x i16>, <8 x i16>)
declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)
declare <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8>, <16 x i8>)

define i16 @sum_of_the_upper_pair(<8 x i16> noundef %a, <8 x i16> noundef %b) {
  %s = call <8 x i16> @llvm.x86.ssse3.phadd.w.128(<8 x i16> %a, <8 x i16> %b)
  %v = extractelement <8 x i16> %s, i64 7
  ret i16 %v
}

define i16 @difference_that_saturates(<8 x i16> noundef %a) {
  %s = call <8 x i16> @llvm.x86.ssse3.phsub.sw.128(<8 x i16> <i16 32767, i16 -1, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0>, <8 x i16> %a)
  %v = extractelement <8 x i16> %s, i64 0
  ret i16 %v
}

define i8 @byte_that_is_chosen(<16 x i8> noundef %a) {
  %s = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %a, <16 x i8> <i8 19, i8 128, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0>)
  %v = extractelement <16 x i8> %s, i64 0
  ret i8 %v
}

define i16 @products_that_saturate(<16 x i8> noundef %a) {
  %s = call <8 x i16> @llvm.x86.ssse3.pmadd.ub.sw.128(<16 x i8> <i8 -1, i8 -1, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0>, <16 x i8> <i8 127, i8 127, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0>)
  %v = extractelement <8 x i16> %s, i64 0
  ret i16 %v
}
