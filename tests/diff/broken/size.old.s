# A store is narrower.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov dword ptr [rdi], esi
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
