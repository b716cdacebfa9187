# The low half of a double, as a single number.
	.text
	.globl f
	.type f, @function
f:
	fmv.x.w a0, fa0
	fmv.w.x fa0, a0
	fmv.w.x ft0, zero
	fadd.s fa0, fa0, ft0
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
