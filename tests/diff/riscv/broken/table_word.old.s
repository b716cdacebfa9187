# Another word of the global offset table.
	.text
	.globl f
	.type f, @function
f:
1:
	auipc a1, %got_pcrel_hi(a)
	ld a1, %pcrel_lo(1b)(a1)
	lw a0, 0(a1)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
