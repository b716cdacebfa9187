; What is loaded on two ways from a table and through a pointer is loaded once, through a choice of both.
@table = external constant [256 x i8]

define void @f(i32 %kind, ptr %from, ptr %to) {
entry:
  %one = icmp eq i32 %kind, 0
  br i1 %one, label %mapped, label %plain

mapped:
  %byte = load i8, ptr %from, align 1
  %wide = zext i8 %byte to i64
  %at = getelementptr inbounds [256 x i8], ptr @table, i64 0, i64 %wide
  %lower = load i8, ptr %at, align 1
  store i8 %lower, ptr %to, align 1
  br label %done

plain:
  %same = load i8, ptr %from, align 1
  store i8 %same, ptr %to, align 1
  br label %done

done:
  ret void
}
