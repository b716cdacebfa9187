; The call says so.

define i32 @quiet(i32 %x) #0 {
entry:
  %y = call i32 @other(i32 %x) #1
  ret i32 %y
}

declare i32 @other(i32)

attributes #0 = { nounwind }
attributes #1 = { nounwind }
