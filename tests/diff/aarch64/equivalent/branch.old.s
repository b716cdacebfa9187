// A selection, or a branch.
	.text
	.globl f
	.type f, %function
f:
	cmp w0, w1
	csel w0, w0, w1, lt
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
