# Another register of the caller.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd s2, 0(sp)
	sd ra, 8(sp)
	mv s2, a0
	call g
	add a0, s2, a0
	ld ra, 8(sp)
	ld s2, 0(sp)
	addi sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
