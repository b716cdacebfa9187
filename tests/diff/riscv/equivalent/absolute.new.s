# An address in two steps from zero.
	.text
	.globl f
	.type f, @function
f:
	lui a2, %hi(a)
	sd a0, %lo(a)(a2)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
