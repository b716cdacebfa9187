// A product by shifts.
	.text
	.globl f
	.type f, %function
f:
	mov w1, 9
	mul w0, w0, w1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
