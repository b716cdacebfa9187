# A single number through memory, and as it is.
	.text
	.globl f
	.type f, @function
f:
	fmul.s fa0, fa0, fa1
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
