// Two conditions in a row, or two branches.
	.text
	.globl f
	.type f, %function
f:
	cmp w0, 3
	ccmp w1, 5, 4, ne
	cset w0, eq
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
