// A field of bits, or a shift and a mask.
	.text
	.globl f
	.type f, %function
f:
	ubfx w0, w0, 4, 8
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
