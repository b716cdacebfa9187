// A call and a return, or a jump.
	.text
	.globl f
	.type f, %function
f:
	add w0, w0, 1
	b g
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
