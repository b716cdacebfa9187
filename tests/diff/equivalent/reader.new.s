# What is loaded ahead of a call of strlen is what is loaded behind it; an object of the frame stays its own.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	push rbp
	sub rsp, 24
	mov rbx, rdi
	mov eax, dword ptr [rbx]
	mov rbp, qword ptr [rbx+8]
	mov dword ptr [rsp], eax
	mov byte ptr [rsp+3], 0
	mov dword ptr [rsp+4], 7
	mov rdi, rsp
	call strlen
	lea rdi, [rbp+rax]
	call g
	add rax, 7
	add rsp, 24
	pop rbp
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
