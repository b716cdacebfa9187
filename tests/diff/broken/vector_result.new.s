# A result of 256 bits whose upper half nobody sets.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	vmovdqu xmm0, [rdi]
	vpaddd xmm0, xmm0, xmm0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
