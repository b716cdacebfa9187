# The smaller of two zeros.
	.text
	.globl f
	.type f, @function
f:
	flt.d a1, fa0, fa1
	bnez a1, 1f
	fmv.d fa0, fa1
1:
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
