# An address in two steps from zero.
	.text
	.globl f
	.type f, @function
f:
	lui a1, %hi(a)
	addi a1, a1, %lo(a)
	sd a0, 0(a1)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
