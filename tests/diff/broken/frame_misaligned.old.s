# A number goes through the frame, in an access that has to be aligned.
	.globl f
	.type f,@function
f:
	movaps %xmm0, -24(%rsp)
	movsd -24(%rsp), %xmm0
	ret
	.size f,.-f
