# What was accessed is not at null.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, dword ptr [rdi]
	test rdi, rdi
	je .L1
	ret
.L1:
	mov eax, 7
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
