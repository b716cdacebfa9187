# A product by shifts, and by a multiplication.
	.text
	.globl f
	.type f, @function
f:
	li a5, 3
	mulw a1, a1, a5
	addw a0, a1, a0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
