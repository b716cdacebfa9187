# Two vectors of 128 bits, or one of 256.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	movdqu xmm0, [rdi]
	movdqu xmm1, [rdi+16]
	movdqu xmm2, [rsi]
	movdqu xmm3, [rsi+16]
	paddd xmm0, xmm2
	paddd xmm1, xmm3
	movups [rdi], xmm0
	movups [rdi+16], xmm1
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
