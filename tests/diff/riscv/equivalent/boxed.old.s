# A single number through memory, and as it is.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	fmul.s fa1, fa0, fa1
	fsw fa1, 12(sp)
	flw fa0, 12(sp)
	addi sp, sp, 16
	fmv.x.d a0, fa0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
