# An address that is added up, or accessed in two steps.
	.text
	.globl f
	.type f, @function
f:
1:
	auipc a2, %pcrel_hi(a)
	lw a1, %pcrel_lo(1b)(a2)
	addiw a0, a1, 1
	sw a0, %pcrel_lo(1b)(a2)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
