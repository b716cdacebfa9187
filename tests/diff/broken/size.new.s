# A store is narrower.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	mov word ptr [rdi], si
	mov eax, 0
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
