@three = weak_odr constant i32 3
@four = linkonce_odr constant i32 4
define i32 @reads() {
  ret i32 3
}
define i32 @reads_the_other() {
  ret i32 4
}
