// A base that the load moves, or an addition, in other registers.
	.text
	.globl f
	.type f, %function
f:
	mov w2, 0
	cbz x1, 2f
	add x1, x0, x1, lsl 2
1:
	ldr w4, [x0], 4
	add w2, w2, w4
	cmp x0, x1
	b.ne 1b
2:
	mov w0, w2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
