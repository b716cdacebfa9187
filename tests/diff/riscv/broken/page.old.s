# The high part of one object, and the low part of another.
	.text
	.globl f
	.type f, @function
f:
	lui a1, %hi(a)
	lw a0, %lo(a)(a1)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
