declare void @g() #1

define void @f() #0 {
  call void @g() #1
  ret void
}

attributes #0 = { nounwind "frame-pointer"="all" }
attributes #1 = { cold }
