# An access that has to be aligned is not, and faults where the old one does not.
	.globl f
	.type f,@function
f:
	movaps %xmm0, -25(%rsp)
	movsd -25(%rsp), %xmm0
	ret
	.size f,.-f
