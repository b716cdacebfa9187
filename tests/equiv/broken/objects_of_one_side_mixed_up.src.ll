; Objects in memory that one side alone has: nobody sees them before the function returns.
define i16 @chosen_object(i1 noundef %c) {
  %a = alloca i16
  %b = alloca i16
  store i16 7, ptr %a
  store i16 9, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  %v = load i16, ptr %p
  ret i16 %v
}
