@str = private constant [10 x i8] c"two words\00"
declare i32 @puts(ptr)
declare i32 @putchar(i32)

define i32 @counted() {
  %n = call i32 @puts(ptr @str)
  ret i32 %n
}

define void @own() {
  %n = call i32 @puts(ptr @str)
  ret void
}

define void @own_for_all() {
  %n = call i32 @puts(ptr @str)
  ret void
}

define void @own_as_declared() {
  %n = call i32 @putchar(i32 10)
  ret void
}
