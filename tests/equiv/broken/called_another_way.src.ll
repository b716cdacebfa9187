; The values are the same, the way they are passed is not.
declare void @take(i8 zeroext)
declare fastcc void @fast(i32)
declare void @fill(ptr sret([4 x i32]))
declare signext i8 @give()

define void @extended_by_sign(i8 noundef %x) {
  call void @take(i8 zeroext %x)
  ret void
}

define void @another_convention(i32 noundef %x) {
  call fastcc void @fast(i32 %x)
  ret void
}

define void @address_of_a_result(ptr noundef %p) {
  call void @fill(ptr sret([4 x i32]) %p)
  ret void
}

define i8 @result_extended() {
  %r = call signext i8 @give()
  ret i8 %r
}
