; What is printed without a conversion, or with one that does nothing, needs no `printf`.
@open = private constant [2 x i8] c"{\00"
@words = private constant [11 x i8] c"two words\0A\00"
@percent = private constant [3 x i8] c"%%\00"
@empty = private constant [1 x i8] zeroinitializer
@line = private constant [4 x i8] c"%s\0A\00"
@text = private constant [3 x i8] c"%s\00"
@char = private constant [3 x i8] c"%c\00"
@known = private constant [7 x i8] c"known\0A\00"
@plain = private constant [6 x i8] c"words\00"
@high = private constant [2 x i8] c"\E9\00"
declare i32 @printf(ptr, ...)
declare i32 @fprintf(ptr, ptr, ...)
declare i32 @puts(ptr)
declare i32 @fputs(ptr, ptr)
declare i64 @fwrite(ptr, i64, i64, ptr)

define void @letter() {
  %n = call i32 (ptr, ...) @printf(ptr @open)
  ret void
}

define void @line_of_words() {
  %n = call i32 (ptr, ...) @printf(ptr @words)
  ret void
}

define void @percent_sign() {
  %n = call i32 (ptr, ...) @printf(ptr @percent)
  ret void
}

define void @nothing() {
  %n = call i32 (ptr, ...) @printf(ptr @empty)
  ret void
}

define void @line_of_text(ptr noundef %s) {
  %n = call i32 (ptr, ...) @printf(ptr @line, ptr noundef %s)
  ret void
}

define void @known_text() {
  %n = call i32 (ptr, ...) @printf(ptr @text, ptr @known)
  ret void
}

define void @one(i32 noundef %c) {
  %n = call i32 (ptr, ...) @printf(ptr @char, i32 noundef %c)
  ret void
}

define void @words_to(ptr noundef %f) {
  %n = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %f, ptr @plain)
  ret void
}

define void @one_to(ptr noundef %f, i32 noundef %c) {
  %n = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %f, ptr @char, i32 noundef %c)
  ret void
}

define void @text_to(ptr noundef %f, ptr noundef %s) {
  %n = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %f, ptr @text, ptr noundef %s)
  ret void
}

define void @empty_line() {
  %n = call i32 @puts(ptr @empty)
  ret void
}

define void @put_one(ptr noundef %f) {
  %n = call i32 @fputs(ptr @high, ptr noundef %f)
  ret void
}

define void @write_one(ptr noundef %p, ptr noundef %f) {
  %n = call i64 @fwrite(ptr noundef %p, i64 1, i64 1, ptr noundef %f)
  ret void
}

define void @line_again() {
  %n = call i32 (ptr, ...) @printf(ptr @words)
  ret void
}
