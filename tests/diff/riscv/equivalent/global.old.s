# An address that is added up, or accessed in two steps.
	.text
	.globl f
	.type f, @function
f:
	lla a1, a
	lw a0, 0(a1)
	addiw a0, a0, 1
	sw a0, 0(a1)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
