; The last of a list: the first link is loaded in front of the loop, the others in it.
define ptr @last(ptr noundef %list) {
entry:
  %first = load ptr, ptr %list, align 8
  br label %head

head:
  %at = phi ptr [ %first, %entry ], [ %next, %body ]
  %before = phi ptr [ null, %entry ], [ %at, %body ]
  %more = icmp ne ptr %at, null
  br i1 %more, label %body, label %done

body:
  %next = load ptr, ptr %at, align 8
  br label %head

done:
  ret ptr %before
}
