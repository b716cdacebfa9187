# A number with its sign, compared without.
	.text
	.globl f
	.type f, @function
f:
	sltiu a0, a0, -1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
