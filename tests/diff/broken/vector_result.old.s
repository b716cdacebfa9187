# A result of 256 bits whose upper half nobody sets.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	vmovdqu ymm0, [rdi]
	vpaddd ymm0, ymm0, ymm0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
