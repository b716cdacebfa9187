# An object of the frame in another place.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -32
	sd ra, 24(sp)
	sw a0, 0(sp)
	mv a0, sp
	call g
	lw a0, 0(sp)
	ld ra, 24(sp)
	addi sp, sp, 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
