; The call says that it has none.

define i32 @loud(i32 %x) {
entry:
  %y = call i32 @other(i32 %x) #0
  ret i32 %y
}

declare i32 @other(i32)

attributes #0 = { nounwind }
