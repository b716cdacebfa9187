// Another field of bits.
	.text
	.globl f
	.type f, %function
f:
	ubfx w0, w0, 3, 6
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
