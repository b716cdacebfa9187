; One load at the head of the loop.
define ptr @last(ptr noundef %list) {
entry:
  br label %head

head:
  %at.in = phi ptr [ %list, %entry ], [ %at, %body ]
  %before = phi ptr [ null, %entry ], [ %at, %body ]
  %at = load ptr, ptr %at.in, align 8
  %more = icmp ne ptr %at, null
  br i1 %more, label %body, label %done

body:
  br label %head

done:
  ret ptr %before
}
