# Bytes of each half of 256 bits stay in it, whatever the number asks for.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	vmovdqu ymm0, [rdi]
	vpshufb ymm0, ymm0, [rsi]
	vmovdqu [rdi], ymm0
	vzeroupper
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
