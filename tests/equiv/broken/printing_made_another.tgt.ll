@plain = private constant [6 x i8] c"words\00"
@str = private constant [10 x i8] c"two words\00"
@other = private constant [10 x i8] c"two birds\00"
@str.1 = private constant [6 x i8] c"known\00"
declare i32 @puts(ptr)
declare i32 @fputs(ptr, ptr)
declare i32 @fputc(i32, ptr)
declare i32 @putchar(i32)
declare i64 @fwrite(ptr, i64, i64, ptr)

define void @letter() {
  %n = call i32 @putchar(i32 125)
  ret void
}

define void @line_of_words() {
  %n = call i32 @puts(ptr nonnull dereferenceable(1) @other)
  ret void
}

define void @words_to(ptr noundef %f) {
  %n = call i64 @fwrite(ptr nonnull @plain, i64 4, i64 1, ptr %f)
  ret void
}

define void @one(i32 noundef %c) {
  %d = add i32 %c, 1
  %n = call i32 @putchar(i32 %d)
  ret void
}

define void @text_to(ptr noundef %f, ptr noundef %s) {
  %n = call i32 @fputs(ptr %f, ptr %s)
  ret void
}
