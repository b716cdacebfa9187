; A function that only reads gives the same again, one that returns its argument gives that, and an object of the stack that
; nobody has the address of lies nowhere that it is compared with.
define i8 @read_again(i8 noundef %n) {
  %a = call noundef i8 @reads(i8 %n)
  ret i8 0
}

define i8 @argument_comes_back(i8 noundef %n) {
  %a = call i8 @gives_back(i8 %n)
  ret i8 %n
}

define i1 @nobody_has_it(ptr noundef %other) {
  ret i1 false
}

declare i8 @reads(i8) memory(read)
declare i8 @gives_back(i8 returned)
