# What was given and is free again may be given by another callee.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov edi, 16
	call malloc
	mov rbx, rax
	mov rdi, rax
	call free
	call g
	cmp rax, rbx
	je .L1
	mov dword ptr [rax], 1
.L1:
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
