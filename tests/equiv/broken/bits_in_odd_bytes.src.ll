; The bits that a number of an odd size has in memory count; only those above are open.
define void @lanes(ptr noundef %p) {
  store <3 x i2> <i2 1, i2 2, i2 3>, ptr %p
  ret void
}

define void @flag(i16 noundef %a, i16 noundef %b, ptr noundef %p) {
  %r = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 %a, i16 %b)
  store { i16, i1 } %r, ptr %p
  ret void
}

declare { i16, i1 } @llvm.umul.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.smul.with.overflow.i16(i16, i16)
