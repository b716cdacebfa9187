# The length comes by way of another register.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov r8, rsi
	mov rcx, r8
	xor eax, eax
	rep stosb
	mov eax, edx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
