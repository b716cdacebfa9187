# A frame with a pointer to it, and one without.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -32
	sd ra, 24(sp)
	sd s0, 16(sp)
	addi s0, sp, 32
	sd a0, -24(s0)
	call g
	ld a1, -24(s0)
	add a0, a0, a1
	ld ra, 24(sp)
	ld s0, 16(sp)
	addi sp, sp, 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
