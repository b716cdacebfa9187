; Many bytes are said to be there as they were, of an argument, of a parameter, and of both.
declare void @use(ptr)
declare void @between()

define void @argument(ptr %p) {
  call void @between()
  call void @use(ptr dereferenceable(100) %p)
  ret void
}

define void @parameter(ptr dereferenceable(1000) %p) {
  call void @use(ptr %p)
  ret void
}

define void @handed_on(ptr dereferenceable(100) %p) {
  call void @use(ptr dereferenceable(99) %p)
  ret void
}
