# An argument differs.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov edi, 4
	jmp g
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
