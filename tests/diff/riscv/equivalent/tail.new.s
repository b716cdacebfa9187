# A call and a return, or a jump.
	.text
	.globl f
	.type f, @function
f:
	addiw a0, a0, 1
	tail g
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
