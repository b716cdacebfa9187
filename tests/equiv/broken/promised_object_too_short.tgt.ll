@text = private unnamed_addr constant [8 x i8] c"%s %zu\0A\00", align 1

define i32 @short_object(i32 %kind) {
  %buffer = alloca [64 x i8], align 16
  %name = call ptr @name_of(i32 %kind)
  %n = call i32 (ptr, i64, ptr, ...) @print(ptr dereferenceable(65) %buffer, i64 64, ptr dereferenceable(8) @text, ptr %name)
  ret i32 %n
}

declare ptr @name_of(i32)
declare i32 @print(ptr, i64, ptr, ...)
