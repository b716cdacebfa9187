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
  %none = icmp ne ptr %first, null
  %run = select i1 %none, i1 %all, i1 false
  br i1 %run, label %round, label %end

round:
  %at = phi ptr [ %n, %round ], [ %first, %go ]
  %n = call ptr @next(ptr noundef %at)
  %over = icmp eq ptr %n, null
  br i1 %over, label %behind, label %round

behind:
  call void @last(ptr noundef %p, ptr noundef %at)
  br label %end

end:
  ret void
}
