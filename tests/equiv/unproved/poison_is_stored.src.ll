; The source stores poison, which is no error: it is one by assumption alone, and a proof from that would say nothing.
@x = global ptr null

define void @f(ptr noundef %p) {
  %poison = getelementptr inbounds i8, ptr null, i32 1
  store ptr %poison, ptr @x
  ret void
}
