# A return with another stack pointer.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov eax, edi
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
