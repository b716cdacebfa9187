// The half of a vector that is the caller's is lost.
	.text
	.globl f
	.type f, %function
f:
	fmov d8, x0
	fmov x0, d8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
