# A register of the caller is lost.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov ebx, edi
	call g
	add eax, ebx
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
