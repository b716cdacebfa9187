# A register that calls change is read behind one.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov ebx, esi
	call g
	add eax, ebx
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
