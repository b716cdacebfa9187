; A chain of a hash table: the place in it by a mask of up to 31 bits.
define ptr @find(ptr noundef %nodes, i8 noundef %log, i32 noundef %hash) {
entry:
  %bits = zext i8 %log to i32
  %size = shl i32 1, %bits
  %mask = sub i32 %size, 1
  %place = and i32 %hash, %mask
  %wide = sext i32 %place to i64
  %first = getelementptr inbounds { i64, i32, i32 }, ptr %nodes, i64 %wide
  br label %head

head:
  %node = phi ptr [ %first, %entry ], [ %next, %body ]
  %k = getelementptr inbounds i8, ptr %node, i64 8
  %key = load i32, ptr %k, align 4
  %same = icmp eq i32 %key, %hash
  br i1 %same, label %done, label %body

body:
  %o = getelementptr inbounds i8, ptr %node, i64 12
  %offset = load i32, ptr %o, align 4
  %far = sext i32 %offset to i64
  %next = getelementptr inbounds { i64, i32, i32 }, ptr %node, i64 %far
  br label %head

done:
  ret ptr %node
}
