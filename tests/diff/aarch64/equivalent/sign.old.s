// A number that is smaller than zero by its sign, or by a comparison.
	.text
	.globl f
	.type f, %function
f:
	lsr w0, w0, 31
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
