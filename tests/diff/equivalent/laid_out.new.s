# Blocks of a loop in another order, and another register.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbp
	mov ebp, edi
	test edi, edi
	jne .L1
	jmp .L2
.L3:
	mov edi, ebp
	call h@PLT
.L4:
	sub ebp, 1
	je .L2
.L1:
	mov edi, ebp
	call g@PLT
	cmp eax, 7
	je .L3
	jmp .L4
.L2:
	mov eax, 1
	pop rbp
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
