# A difference of operands the other way around.
	.text
	.globl f
	.type f, @function
f:
	fsub.d fa0, fa1, fa0
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
