# What was accessed is not at null.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, dword ptr [rdi]
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
