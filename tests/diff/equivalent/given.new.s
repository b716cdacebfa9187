# Memory that is given is none that a pointer from before leads to.
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
	mov dword ptr [rax+4], 7
.L1:
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
