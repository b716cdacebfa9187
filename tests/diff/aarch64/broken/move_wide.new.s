// A part of a number in another place.
	.text
	.globl f
	.type f, %function
f:
	mov x0, 1
	movk x0, 2, lsl 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",%progbits
