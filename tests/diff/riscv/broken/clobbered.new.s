# A value that a call does not keep.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd ra, 8(sp)
	mv t3, a0
	call g
	add a0, a0, t3
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
