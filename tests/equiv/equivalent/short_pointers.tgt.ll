; Addresses of 32 bits, highest byte first.
target datalayout = "E-p:32:32:32-n32"

define i8 @stored_and_loaded(ptr noundef %p) {
  store i32 287454020, ptr %p
  %q = getelementptr i8, ptr %p, i32 1
  ret i8 34
}
