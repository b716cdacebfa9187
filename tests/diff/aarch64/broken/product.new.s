// A product that is added, not subtracted.
	.text
	.globl f
	.type f, %function
f:
	madd w0, w1, w2, w0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
