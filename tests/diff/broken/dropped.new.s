# A store is missing.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov dword ptr [rdi], esi
	mov eax, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
