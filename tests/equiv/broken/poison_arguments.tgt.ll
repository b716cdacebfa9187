declare nonnull ptr @maybe_poison()
declare void @llvm.assume(i1)

define i32 @undef_is_not_poison() {
  ret i32 poison
}

define i1 @second_not_looked_at(i1 %a, i1 %b) {
  %r = and i1 %a, %b
  ret i1 %r
}

define i1 @lane_not_looked_at(<2 x i32> %x, <2 x i32> %y) {
  %both = icmp eq <2 x i32> %x, %y
  %first = extractelement <2 x i1> %both, i32 0
  %second = extractelement <2 x i1> %both, i32 1
  %r = and i1 %first, %second
  ret i1 %r
}

define i32 @branch_made_of_a_choice(i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i1 @result_not_looked_at(i1 noundef %a) {
  %p = call ptr @maybe_poison()
  %n = icmp eq ptr %p, null
  %not = xor i1 %a, true
  %r = or i1 %not, %n
  ret i1 %r
}

define void @assumed(i32 %x) {
  %c = icmp ule i32 %x, %x
  call void @llvm.assume(i1 %c)
  ret void
}
