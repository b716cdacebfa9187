// The carry of a sum taken for a borrow.
	.text
	.globl f
	.type f, %function
f:
	adds x0, x0, x1
	cset w0, cs
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
