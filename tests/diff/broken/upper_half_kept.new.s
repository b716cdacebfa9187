# SSE leaves the upper half of a vector of 256 bits, AVX clears it.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	vmovdqu ymm0, [rdi]
	movdqu xmm1, [rsi]
	paddd xmm0, xmm1
	vmovdqu [rdi], ymm0
	vzeroupper
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
