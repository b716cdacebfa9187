# A frame that no instruction alone makes.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd ra, 8(sp)
	li t0, -8192
	add sp, sp, t0
	sd a0, 24(sp)
	call g
	ld a1, 24(sp)
	add a0, a0, a1
	li t0, 8192
	add sp, sp, t0
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
