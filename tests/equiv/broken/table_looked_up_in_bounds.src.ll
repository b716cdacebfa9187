; The index may lie behind the table.
@table = internal unnamed_addr constant [4 x i32] [i32 33, i32 2, i32 5, i32 1], align 4

define i32 @chosen(i32 %c) {
entry:
  switch i32 %c, label %other [
    i32 0, label %first
    i32 1, label %second
    i32 2, label %third
    i32 3, label %fourth
  ]

first:
  br label %end

second:
  br label %end

third:
  br label %end

fourth:
  br label %end

other:
  br label %end

end:
  %r = phi i32 [ 33, %first ], [ 2, %second ], [ 5, %third ], [ 1, %fourth ], [ 0, %other ]
  ret i32 %r
}
