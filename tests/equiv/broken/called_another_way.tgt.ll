declare void @take(i8 signext)
declare void @fast(i32)
declare void @fill(ptr)
declare zeroext i8 @give()

define void @extended_by_sign(i8 noundef %x) {
  call void @take(i8 signext %x)
  ret void
}

define void @another_convention(i32 noundef %x) {
  call void @fast(i32 %x)
  ret void
}

define void @address_of_a_result(ptr noundef %p) {
  call void @fill(ptr %p)
  ret void
}

define i8 @result_extended() {
  %r = call zeroext i8 @give()
  ret i8 %r
}
