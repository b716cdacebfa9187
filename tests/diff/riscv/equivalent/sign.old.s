# Bits of a sign, and an instruction for it.
	.text
	.globl f
	.type f, @function
f:
	fmv.x.d a0, fa0
	slli a0, a0, 1
	srli a0, a0, 1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
