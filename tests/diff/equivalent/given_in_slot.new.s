# Memory that is given is none that a pointer from before leads to, wherever both are kept.
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
	mov dword ptr [rax+4], 7
	mov qword ptr [rbx], rax
.L1:
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
