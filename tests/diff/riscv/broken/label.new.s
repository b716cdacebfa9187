# The low part of another high part.
	.text
	.globl f
	.type f, @function
f:
1:
	auipc a1, %pcrel_hi(a)
2:
	auipc a2, %pcrel_hi(b)
	lw a0, %pcrel_lo(1b)(a2)
	lw a3, %pcrel_lo(2b)(a1)
	add a0, a0, a3
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
