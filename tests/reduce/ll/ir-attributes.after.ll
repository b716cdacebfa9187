declare void @g() #1

define void @f() {
  call void @g() #1
  ret void
}

attributes #1 = { cold }
; ----
declare void @g()

define void @f() #0 {
  call void @g()
  ret void
}

attributes #0 = { nounwind "frame-pointer"="all" }
; ----
; all that go together
declare void @g()

define void @f() {
  call void @g()
  ret void
}

