# A single number without ones above it.
	.text
	.globl f
	.type f, @function
f:
	fadd.s fa0, fa0, fa1
	fmv.x.w a0, fa0
	slli a0, a0, 32
	srli a0, a0, 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
