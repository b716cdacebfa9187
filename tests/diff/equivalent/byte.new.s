# The same in another register.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor ecx, ecx
	test rdi, rdi
	sete cl
	or esi, ecx
	movzx eax, sil
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
