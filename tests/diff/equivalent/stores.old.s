# Stores that do not overlap, in another order.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov dword ptr [rdi], esi
	mov dword ptr [rdi+4], edx
	mov eax, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
