# Operands change places.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, esi
	sub eax, edi
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
