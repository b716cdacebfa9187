# A comparison that holds of a NaN.
	.text
	.globl f
	.type f, @function
f:
	fle.d a0, fa1, fa0
	xori a0, a0, 1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
