# What a callee may have written through the address of an object is not read again.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 16
	mov ebx, edi
	mov dword ptr [rsp+8], edi
	lea rdi, [rsp+8]
	call g
	mov eax, ebx
	add rsp, 16
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
