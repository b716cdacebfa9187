# A number with its sign, compared without.
	.text
	.globl f
	.type f, @function
f:
	slti a0, a0, -1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
