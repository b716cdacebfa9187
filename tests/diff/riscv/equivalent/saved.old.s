# Another register of the caller.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -32
	sd ra, 24(sp)
	sd s1, 8(sp)
	mv s1, a0
	call g
	add a0, a0, s1
	ld s1, 8(sp)
	ld ra, 24(sp)
	addi sp, sp, 32
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
