; A call of which more is promised than the object has.
@text = private unnamed_addr constant [8 x i8] c"%s %zu\0A\00", align 1

define i32 @short_object(i32 %kind) {
  %buffer = alloca [64 x i8], align 16
  %name = call ptr @name_of(i32 %kind)
  %n = call i32 (ptr, i64, ptr, ...) @print(ptr %buffer, i64 64, ptr @text, ptr %name)
  ret i32 %n
}

declare ptr @name_of(i32)
declare i32 @print(ptr, i64, ptr, ...)
