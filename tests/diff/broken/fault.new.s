# A load whose value nobody needs: it may fail where nothing failed.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, dword ptr [rdi]
	xor eax, eax
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
