# Blocks of a loop in another order, and another register.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov ebx, edi
	test edi, edi
	je .L2
.L1:
	mov edi, ebx
	call g@PLT
	cmp eax, 7
	je .L3
	sub ebx, 1
	jne .L1
.L2:
	mov eax, 1
	pop rbx
	ret
.L3:
	mov edi, ebx
	call h@PLT
	sub ebx, 1
	jne .L1
	mov eax, 1
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
