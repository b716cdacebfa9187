// An index, or a pointer and its end.
	.text
	.globl f
	.type f, %function
f:
	mov w2, 0
	cbz x1, 2f
	mov x3, 0
1:
	ldr w4, [x0, x3, lsl 2]
	add w2, w2, w4
	add x3, x3, 1
	cmp x1, x3
	b.ne 1b
2:
	mov w0, w2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
