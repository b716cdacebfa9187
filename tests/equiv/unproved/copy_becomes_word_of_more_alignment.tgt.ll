; As a load that is undefined for half of the addresses.
%pair = type { i64, i8 }

declare void @use(ptr, ptr)

define void @copy(ptr noundef %p) {
  %t = alloca %pair, align 8
  %u = alloca [8 x i8], align 8
  %w = load i64, ptr %p, align 8
  store i64 %w, ptr %t, align 8
  store i64 0, ptr %u, align 8
  call void @use(ptr noundef %t, ptr noundef %u)
  ret void
}
