# A sign that is extended, and zeros.
	.text
	.globl f
	.type f, @function
f:
	slli a0, a0, 32
	srli a0, a0, 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
