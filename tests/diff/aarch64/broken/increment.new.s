// A selection that does not increase.
	.text
	.globl f
	.type f, %function
f:
	cmp w0, 7
	csel w0, w1, w0, eq
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
