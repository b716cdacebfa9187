# One byte more is filled.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	lea rcx, [rsi+1]
	xor eax, eax
	rep stosb
	mov eax, edx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
