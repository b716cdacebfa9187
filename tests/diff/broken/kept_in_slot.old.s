# What a callee may have written through an address that was kept in a stack slot is not read again.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 32
	mov ebx, edi
	mov dword ptr [rsp+16], edi
	lea rax, [rsp+16]
	mov qword ptr [rsp+8], rax
	mov rdi, qword ptr [rsp+8]
	call g
	mov eax, dword ptr [rsp+16]
	add rsp, 32
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
