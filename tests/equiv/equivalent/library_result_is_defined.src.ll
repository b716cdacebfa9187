; What a function of the library gives is defined, which its declaration here does not say.
declare i32 @gettimeofday(ptr noundef, ptr noundef)

define i32 @now(ptr noundef %to) {
entry:
  %failed = call i32 @gettimeofday(ptr noundef %to, ptr noundef null)
  %seconds = load i64, ptr %to, align 8
  store i64 %seconds, ptr %to, align 8
  ret i32 0
}
