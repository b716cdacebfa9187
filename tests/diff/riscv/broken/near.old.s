# Another object near the instruction.
	.text
	.globl f
	.type f, @function
f:
	lla a1, a
	lw a0, 0(a1)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
