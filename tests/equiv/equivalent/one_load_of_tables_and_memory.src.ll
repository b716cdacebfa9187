; Bytes of memory or of a table, each loaded where it is known which.
@low = internal constant [4 x i8] c"\01\02\04\08", align 4
@high = internal constant [4 x i8] c"\10\20\40\80", align 4
define void @fold(i32 noundef %how, ptr noundef %p, ptr noundef %to) {
entry:
  switch i32 %how, label %plain [ i32 1, label %a
                                  i32 2, label %b ]

a:
  %a.i = load i8, ptr %p, align 1
  %a.low = and i8 %a.i, 3
  %a.at = zext i8 %a.low to i64
  %a.p = getelementptr inbounds [4 x i8], ptr @low, i64 0, i64 %a.at
  %a.v = load i8, ptr %a.p, align 1
  store i8 %a.v, ptr %to, align 1
  br label %done

b:
  %b.i = load i8, ptr %p, align 1
  %b.low = and i8 %b.i, 3
  %b.at = zext i8 %b.low to i64
  %b.p = getelementptr inbounds [4 x i8], ptr @high, i64 0, i64 %b.at
  %b.v = load i8, ptr %b.p, align 1
  store i8 %b.v, ptr %to, align 1
  br label %done

plain:
  %v = load i8, ptr %p, align 1
  store i8 %v, ptr %to, align 1
  br label %done

done:
  ret void
}
