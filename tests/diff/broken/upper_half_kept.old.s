# SSE leaves the upper half of a vector of 256 bits, AVX clears it.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	vmovdqu ymm0, [rdi]
	vpaddd xmm0, xmm0, [rsi]
	vmovdqu [rdi], ymm0
	vzeroupper
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
