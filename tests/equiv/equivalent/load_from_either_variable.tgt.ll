
@table = external constant [256 x i8]

define void @f(i32 %kind, ptr %from, ptr %to) {
entry:
  %one = icmp eq i32 %kind, 0
  br i1 %one, label %mapped, label %plain

mapped:                                           ; preds = %entry
  %byte = load i8, ptr %from, align 1
  %wide = zext i8 %byte to i64
  %at = getelementptr inbounds [256 x i8], ptr @table, i64 0, i64 %wide
  br label %done

plain:                                            ; preds = %entry
  br label %done

done:                                             ; preds = %plain, %mapped
  %storemerge.in = phi ptr [ %from, %plain ], [ %at, %mapped ]
  %storemerge = load i8, ptr %storemerge.in, align 1
  store i8 %storemerge, ptr %to, align 1
  ret void
}
