# A byte with a sign, and without.
	.text
	.globl f
	.type f, @function
f:
	lbu a0, 0(a0)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
