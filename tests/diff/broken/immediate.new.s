# A constant differs.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, edi
	add eax, 2
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
