; Arguments and results of calls that are poison: what the target does with them earlier, or in more cases.
declare nonnull ptr @maybe_poison()
declare void @llvm.assume(i1)

define i32 @undef_is_not_poison() {
  ret i32 undef
}

define i1 @second_not_looked_at(i1 %a, i1 %b) {
  %r = select i1 %a, i1 %b, i1 false
  ret i1 %r
}

define i1 @lane_not_looked_at(<2 x i32> %x, <2 x i32> %y) {
entry:
  %x0 = extractelement <2 x i32> %x, i32 0
  %y0 = extractelement <2 x i32> %y, i32 0
  %first = icmp eq i32 %x0, %y0
  br i1 %first, label %more, label %end
more:
  %x1 = extractelement <2 x i32> %x, i32 1
  %y1 = extractelement <2 x i32> %y, i32 1
  %second = icmp eq i32 %x1, %y1
  br label %end
end:
  %r = phi i1 [ false, %entry ], [ %second, %more ]
  ret i1 %r
}

define i32 @branch_made_of_a_choice(i1 %c) {
  %r = select i1 %c, i32 1, i32 2
  ret i32 %r
}

define i1 @result_not_looked_at(i1 noundef %a) {
  %p = call ptr @maybe_poison()
  %n = icmp eq ptr %p, null
  %r = select i1 %a, i1 %n, i1 true
  ret i1 %r
}

define void @assumed(i32 %x) {
  ret void
}
