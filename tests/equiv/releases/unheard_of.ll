; Words that no release has: a word, one with a number, with brackets, with a string, and with brackets in brackets.
define dso_local brandnew i32 @f(i32 brandnew noundef another(1) third(a: b, c) %x, ptr fourth((0, 4), (8, 12)) fifth("s") %p) local_unnamed_addr brandnew another(2) third("x") #0 {
entry:
  %y = call brandnew i32 @g(i32 brandnew another(-3, 4) %x) #0
  ret i32 %y
}

declare brandnew another(5) i32 @g(i32 brandnew) brandnew another(6) fourth((1), (2))

attributes #0 = { nounwind brandnew another(7) third(a: (b), c) sixth="x" "seventh"="y" alignstack=16 }
