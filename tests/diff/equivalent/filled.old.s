# Memory is filled for a length that is known when the code runs.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov rcx, rsi
	xor eax, eax
	rep stosb
	mov eax, edx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
