// A loop that begins with another sum.
	.text
	.globl f
	.type f, %function
f:
	mov w2, 0
	cbz x1, 2f
1:
	ldr w3, [x0], 4
	add w2, w2, w3
	sub x1, x1, 1
	cbnz x1, 1b
2:
	mov w0, w2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
