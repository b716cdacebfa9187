; The loop's test comes behind a call in its header, and no run on numbers gets there: it is no loop whose test has moved.
declare i64 @key(i64 noundef)
declare ptr @next(ptr noundef)
declare void @last(ptr noundef, ptr noundef)

define void @f(ptr noundef %p, i1 noundef %all) {
entry:
  %k = call noundef i64 @key(i64 noundef 0)
  %l = call noundef i64 @key(i64 noundef %k)
  %kl = mul i64 %k, %l
  %fits = icmp eq i64 %kl, 1234567
  br i1 %fits, label %go, label %end

go:
  %first = load ptr, ptr %p, align 8
  %none = icmp eq ptr %first, null
  br i1 %none, label %end, label %start

start:
  br i1 %all, label %loop, label %end

loop:
  %at = phi ptr [ %first, %start ], [ %n, %again ]
  %n = call ptr @next(ptr noundef %at)
  %some = icmp ne ptr %n, null
  br i1 %some, label %again, label %behind

again:
  br label %loop

behind:
  call void @last(ptr noundef %p, ptr noundef %at)
  br label %end

end:
  ret void
}
