# Memory that is given is none that a pointer from before leads to, wherever both are kept.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 24
	mov qword ptr [rsp+8], rdi
	mov edi, 16
	call malloc
	mov qword ptr [rsp+16], rax
	cmp qword ptr [rsp+16], 0
	je .L1
	mov rax, qword ptr [rsp+8]
	mov rdx, qword ptr [rsp+16]
	mov qword ptr [rax], rdx
	mov rax, qword ptr [rsp+16]
	mov dword ptr [rax+4], 7
.L1:
	mov rax, qword ptr [rsp+16]
	add rsp, 24
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
