# A floating-point number of the caller is lost.
	.text
	.globl f
	.type f, @function
f:
	fmv.d.x ft0, a0
	fmv.x.d a0, ft0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
