; The value has eight bytes, of which a number stores four: the others may be anything.
%value = type { i64, i64 }

declare i32 @read(ptr)

define { i64, i64 } @number(i32 %n) {
  %value = alloca %value, align 8
  store i32 %n, ptr %value, align 8
  %kind = getelementptr inbounds %value, ptr %value, i64 0, i32 1
  store i64 0, ptr %kind, align 8
  %whole = load { i64, i64 }, ptr %value, align 8
  ret { i64, i64 } %whole
}

define { i64, i64 } @next(ptr %file) {
  %value = alloca %value, align 8
  %n = call i32 @read(ptr %file)
  %more = add i32 %n, 1
  store i32 %more, ptr %value, align 8
  %kind = getelementptr inbounds %value, ptr %value, i64 0, i32 1
  store i64 0, ptr %kind, align 8
  %whole = load { i64, i64 }, ptr %value, align 8
  ret { i64, i64 } %whole
}
