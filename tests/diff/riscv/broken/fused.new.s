# A product that is rounded before the sum.
	.text
	.globl f
	.type f, @function
f:
	fmul.d fa0, fa0, fa1
	fadd.d fa0, fa0, fa2
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
