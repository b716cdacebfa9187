# What is called with a jump returns to another place.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd ra, 8(sp)
	call g
	addi sp, sp, 16
	tail h
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
