# A product that is subtracted from, and one that is subtracted.
	.text
	.globl f
	.type f, @function
f:
	fmsub.d fa0, fa0, fa1, fa2
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
