# An integer without a sign.
	.text
	.globl f
	.type f, @function
f:
	fcvt.wu.d a0, fa0, rtz
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
