# A word of the global offset table.
	.text
	.globl f
	.type f, @function
f:
1:
	auipc a5, %got_pcrel_hi(a)
	ld a5, %pcrel_lo(1b)(a5)
	addi a5, a5, 4
	lw a0, 0(a5)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
