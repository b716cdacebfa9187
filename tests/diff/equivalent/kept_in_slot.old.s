# Nobody knows of an object whose address is kept in a stack slot.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 32
	mov dword ptr [rsp+16], edi
	lea rax, [rsp+16]
	mov qword ptr [rsp+8], rax
	call g
	mov rdi, qword ptr [rsp+8]
	call g
	mov eax, dword ptr [rsp+16]
	add rsp, 32
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
