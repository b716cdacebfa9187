# Bits of a sign, and an instruction for it.
	.text
	.globl f
	.type f, @function
f:
	fabs.d fa0, fa0
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
