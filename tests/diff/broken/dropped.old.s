# A store is missing.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov dword ptr [rdi], esi
	mov dword ptr [rdi+4], edx
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
