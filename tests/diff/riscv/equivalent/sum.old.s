# A product by shifts, and by a multiplication.
	.text
	.globl f
	.type f, @function
f:
	slliw a5, a1, 1
	addw a5, a5, a1
	addw a0, a0, a5
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
