# A product that is rounded before the sum.
	.text
	.globl f
	.type f, @function
f:
	fmadd.d fa0, fa0, fa1, fa2
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
