; An address that leads to a stack object by steps that the object is too small for is not its address: what the
; called function gives back may be made of the object's address, but what lies 16 bytes on is not in 4 bytes.
declare ptr @get(ptr, ptr)

define i32 @behind(ptr %m) {
  %e = alloca i32, align 4
  store i32 0, ptr %e, align 4
  %p = call ptr @get(ptr %m, ptr %e)
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %x = load i32, ptr %e, align 4
  store i32 7, ptr %q, align 4
  %y = load i32, ptr %e, align 4
  %z = sub i32 %y, %x
  ret i32 %z
}

define i32 @two_steps(ptr %m) {
  %e = alloca i64, align 8
  store i64 0, ptr %e, align 8
  %p = call ptr @get(ptr %m, ptr %e)
  %q = getelementptr inbounds { i64, { i32, i32 } }, ptr %p, i64 0, i32 1
  %r = getelementptr inbounds { i32, i32 }, ptr %q, i64 0, i32 1
  store i64 5, ptr %e, align 8
  store i32 7, ptr %r, align 4
  %y = load i64, ptr %e, align 8
  %z = trunc i64 %y to i32
  ret i32 %z
}

define i32 @wider(ptr %m) {
  %e = alloca i32, align 4
  store i32 0, ptr %e, align 4
  %p = call ptr @get(ptr %m, ptr %e)
  store i32 5, ptr %e, align 4
  store i64 7, ptr %p, align 4
  %y = load i32, ptr %e, align 4
  ret i32 %y
}
