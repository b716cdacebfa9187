# A comparison that holds of a NaN.
	.text
	.globl f
	.type f, @function
f:
	flt.d a0, fa0, fa1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
