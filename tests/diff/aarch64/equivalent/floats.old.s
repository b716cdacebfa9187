// A sum of operands the other way around.
	.text
	.globl f
	.type f, %function
f:
	fadd d0, d0, d1
	fmov x0, d0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
