; Objects in memory that one side alone has: nobody sees them before the function returns.
define i16 @chosen_object(i1 noundef %c) {
  %v = select i1 %c, i16 7, i16 9
  ret i16 %v
}

define i8 @copied_object() {
  ret i8 3
}
