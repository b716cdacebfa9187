@three = weak constant i32 3
@four = linkonce constant i32 4
define i32 @reads() {
  %x = load i32, ptr @three
  ret i32 %x
}
define i32 @reads_the_other() {
  %x = load i32, ptr @four
  ret i32 %x
}
