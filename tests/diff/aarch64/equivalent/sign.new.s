// A number that is smaller than zero by its sign, or by a comparison.
	.text
	.globl f
	.type f, %function
f:
	cmp w0, 0
	cset w0, lt
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
