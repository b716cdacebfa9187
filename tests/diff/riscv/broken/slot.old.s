# Another slot of the frame.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd a0, 0(sp)
	sd a1, 8(sp)
	ld a0, 0(sp)
	addi sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
