# What is left of a division by zero.
	.text
	.globl f
	.type f, @function
f:
	remw a0, a0, a1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
