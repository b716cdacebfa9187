; What `printf` returns is looked at; a function of that name need not be the library's.
@words = private constant [11 x i8] c"two words\0A\00"
declare i32 @printf(ptr, ...)
declare i32 @puts(ptr) nobuiltin
@empty = private constant [1 x i8] zeroinitializer

define i32 @counted() {
  %n = call i32 (ptr, ...) @printf(ptr @words)
  ret i32 %n
}

define void @own() {
  %n = call i32 (ptr, ...) @printf(ptr @words) nobuiltin
  ret void
}

define void @own_for_all() "no-builtin-printf" {
  %n = call i32 (ptr, ...) @printf(ptr @words)
  ret void
}

define void @own_as_declared() {
  %n = call i32 @puts(ptr @empty)
  ret void
}
