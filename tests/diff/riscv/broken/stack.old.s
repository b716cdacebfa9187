# A frame that is not given back.
	.text
	.globl f
	.type f, @function
f:
	addi sp, sp, -16
	sd a0, 0(sp)
	addi sp, sp, 16
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
