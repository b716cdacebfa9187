// A field of bits, or a shift and a mask.
	.text
	.globl f
	.type f, %function
f:
	lsr w0, w0, 4
	and w0, w0, 255
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
