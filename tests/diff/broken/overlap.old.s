# Stores that overlap, in another order.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov dword ptr [rdi], esi
	mov dword ptr [rdi+2], edx
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
