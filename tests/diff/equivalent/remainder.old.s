# A division leaves a remainder where a callee of unknown types could be passed something: it is not meant for it.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov ebx, edi
	call putchar
	mov eax, ebx
	xor edx, edx
	mov ecx, 8
	div ecx
	mov edi, eax
	mov esi, 7
	call h
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
