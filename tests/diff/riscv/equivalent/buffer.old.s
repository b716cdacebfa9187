# An object of the frame in another place.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -48
	sd ra, 40(sp)
	sw a0, 16(sp)
	addi a0, sp, 16
	call g
	lw a0, 16(sp)
	ld ra, 40(sp)
	addi sp, sp, 48
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
