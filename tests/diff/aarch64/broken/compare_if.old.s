// Other flags where the first comparison fails.
	.text
	.globl f
	.type f, %function
f:
	cmp w0, 3
	ccmp w1, 5, 0, gt
	cset w0, eq
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
