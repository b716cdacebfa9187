@plain = private constant [6 x i8] c"words\00"
@str = private constant [10 x i8] c"two words\00"
@str.1 = private constant [6 x i8] c"known\00"
@str.2 = private constant [10 x i8] c"two words\00"
declare i32 @puts(ptr)
declare i32 @fputs(ptr, ptr)
declare i32 @fputc(i32, ptr)
declare i32 @putchar(i32)
declare i64 @fwrite(ptr, i64, i64, ptr)

define void @letter() {
  %n = call i32 @putchar(i32 123)
  ret void
}

define void @line_of_words() {
  %n = call i32 @puts(ptr nonnull dereferenceable(1) @str)
  ret void
}

define void @percent_sign() {
  %n = call i32 @putchar(i32 37)
  ret void
}

define void @nothing() {
  ret void
}

define void @line_of_text(ptr noundef %s) {
  %n = call i32 @puts(ptr nonnull dereferenceable(1) %s)
  ret void
}

define void @known_text() {
  %n = call i32 @puts(ptr nonnull dereferenceable(1) @str.1)
  ret void
}

define void @one(i32 noundef %c) {
  %n = call i32 @putchar(i32 %c)
  ret void
}

define void @words_to(ptr noundef %f) {
  %n = call i64 @fwrite(ptr nonnull @plain, i64 5, i64 1, ptr %f)
  ret void
}

define void @one_to(ptr noundef %f, i32 noundef %c) {
  %n = call i32 @fputc(i32 %c, ptr %f)
  ret void
}

define void @text_to(ptr noundef %f, ptr noundef %s) {
  %n = call i32 @fputs(ptr %s, ptr %f)
  ret void
}

define void @empty_line() {
  %n = call i32 @putchar(i32 10)
  ret void
}

define void @put_one(ptr noundef %f) {
  %n = call i32 @fputc(i32 -23, ptr %f)
  ret void
}

define void @write_one(ptr noundef %p, ptr noundef %f) {
  %b = load i8, ptr %p, align 1
  %c = sext i8 %b to i32
  %n = call i32 @fputc(i32 %c, ptr %f)
  ret void
}

define void @line_again() {
  %n = call i32 @puts(ptr nonnull dereferenceable(1) @str.2)
  ret void
}
