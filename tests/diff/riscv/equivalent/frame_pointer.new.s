# A frame with a pointer to it, and one without.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd ra, 8(sp)
	sd a0, 0(sp)
	call g
	ld a1, 0(sp)
	add a0, a0, a1
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
