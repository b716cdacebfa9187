// A base that the load moves, or an addition, in other registers.
	.text
	.globl f
	.type f, %function
f:
	mov w5, 0
	cbz x1, 2f
	mov x6, x0
	add x7, x6, x1, lsl 2
1:
	ldr w3, [x6]
	add x6, x6, 4
	add w5, w3, w5
	cmp x7, x6
	b.ne 1b
2:
	mov w0, w5
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
