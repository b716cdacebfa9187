# A single number without ones above it.
	.text
	.globl f
	.type f, @function
f:
	fadd.s fa0, fa0, fa1
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
