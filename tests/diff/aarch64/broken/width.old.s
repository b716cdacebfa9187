// A sum of 64 bits made in 32.
	.text
	.globl f
	.type f, %function
f:
	add x0, x0, x1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
