; An exception may leave the call, and the function.

define i32 @loud(i32 %x) {
entry:
  %y = call i32 @other(i32 %x)
  ret i32 %y
}

declare i32 @other(i32)
