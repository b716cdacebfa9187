# Another argument of a callee.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd ra, 8(sp)
	addi a0, a0, 2
	call g
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
