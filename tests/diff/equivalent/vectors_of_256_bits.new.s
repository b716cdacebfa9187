# Two vectors of 128 bits, or one of 256.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	vmovdqu ymm0, [rdi]
	vpaddd ymm0, ymm0, [rsi]
	vmovdqu [rdi], ymm0
	vzeroupper
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
