# A word of the global offset table, and the object itself.
	.text
	.globl f
	.type f, @function
f:
1:
	auipc a1, %got_pcrel_hi(a)
	ld a0, %pcrel_lo(1b)(a1)
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
