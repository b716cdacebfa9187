# Where a null pointer is followed, GCC stores by it and stops.
	.text
	.globl f
	.type f, @function
f:
	beqz a0, 1f
	lw a0, 0(a0)
	ret
1:
	sd zero, 0(zero)
	ebreak
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
