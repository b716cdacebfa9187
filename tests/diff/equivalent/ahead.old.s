# Loads ahead of a loop, or in each round.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	xor eax, eax
.L1:
	mov rdx, qword ptr [rdi]
	mov rcx, qword ptr [rdx+64]
	add eax, dword ptr [rcx+rsi*4]
	sub rsi, 1
	jne .L1
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
