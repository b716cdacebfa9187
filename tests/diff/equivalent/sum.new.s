# A sum by one instruction, or by two.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, edi
	add eax, esi
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
