; What lies beyond both addresses of an object need not be of it.
define i16 @down_and_up(ptr noundef %p, i8 noundef %i) {
  %n = sext i8 %i to i64
  %b = getelementptr inbounds i32, ptr %p, i64 %n
  %c = getelementptr inbounds i8, ptr %b, i64 2
  %v = load i16, ptr %c, align 2
  ret i16 %v
}

define i16 @further_first(ptr noundef %p, i8 noundef %i) {
  %n = zext i8 %i to i64
  %b = getelementptr inbounds i32, ptr %p, i64 %n
  %v = load i16, ptr %b, align 2
  ret i16 %v
}
