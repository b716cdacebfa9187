# Where a null pointer is followed, GCC stores by it and stops.
	.text
	.globl f
	.type f, @function
f:
	bnez a0, 1f
	sd zero, 0(zero)
	ebreak
1:
	addi a1, a0, 4
	lw a0, -4(a1)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
