; An index that may be negative leads back into the object from behind its end: that the sum is in bounds does not say that
; the field of the first element is.
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
%entry = type { [80 x i8], [16 x i8], i32 }

define i8 @field_of_an_element(ptr noundef %p, i64 noundef %i) {
  %column = getelementptr inbounds %entry, ptr %p, i32 0, i32 1
  %field = getelementptr inbounds %entry, ptr %column, i64 %i
  %v = load i8, ptr %field, align 1
  ret i8 %v
}
