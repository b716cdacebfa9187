@g = constant i16 1

define i8 @other_byte() {
  %p = getelementptr inbounds i8, ptr @g, i64 0
  %x = load i8, ptr %p, align 1
  ret i8 %x
}
