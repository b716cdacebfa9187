# A pointer that was kept in a stack slot leads into the memory that was given.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 24
	mov edi, 16
	call malloc
	mov qword ptr [rsp+8], rax
	cmp qword ptr [rsp+8], 0
	je .L1
	mov rdx, qword ptr [rsp+8]
	mov dword ptr [rdx+4], 7
	mov rcx, qword ptr [rsp+8]
	mov eax, dword ptr [rcx+4]
.L1:
	add rsp, 24
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
