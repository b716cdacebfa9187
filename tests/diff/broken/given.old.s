# A pointer that was loaded after an address went out may lead to what was given.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	mov rbx, rdi
	mov edi, 16
	call malloc
	test rax, rax
	je .L1
	mov qword ptr [rbx], rax
	push rax
	call g
	pop rax
	mov rcx, qword ptr [rbx+8]
	mov dword ptr [rcx], 1
	mov dword ptr [rax], 2
.L1:
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
