# Another floating-point number that a callee is passed.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd ra, 8(sp)
	fadd.d fa0, fa0, fa1
	call g
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
