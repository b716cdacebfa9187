# A register that one way alone reads is set ahead of the branch, or on that way: no callee is meant.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov ebx, edi
	call putchar
	lea esi, [rbx+8]
	mov edi, 1
	test ebx, ebx
	je 1f
	mov edi, esi
1:
	call h
	mov eax, ebx
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
