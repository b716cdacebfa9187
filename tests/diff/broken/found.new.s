# Where strchr found something the frame's object is written by who is passed it.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 16
	mov dword ptr [rsp], 0x00616263
	mov dword ptr [rsp+4], 7
	mov rdi, rsp
	mov esi, 0x62
	call strchr
	mov rdi, rax
	call g
	mov eax, 7
	add rsp, 16
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
