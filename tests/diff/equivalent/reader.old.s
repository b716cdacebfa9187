# What is loaded ahead of a call of strlen is what is loaded behind it; an object of the frame stays its own.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 16
	mov rbx, rdi
	mov dword ptr [rsp+4], 7
	mov rdi, rsp
	mov rcx, qword ptr [rbx+8]
	mov eax, dword ptr [rbx]
	mov dword ptr [rsp], eax
	mov byte ptr [rsp+3], 0
	call strlen
	add rax, qword ptr [rbx+8]
	mov rdi, rax
	call g
	mov ecx, dword ptr [rsp+4]
	add rax, rcx
	add rsp, 16
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
