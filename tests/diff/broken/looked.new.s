# What a callee of the file writes is loaded ahead of its call.
	.intel_syntax noprefix
	.text
	.type look, @function
look:
	mov dword ptr [rsp-4], 7
	mov eax, dword ptr [rdi+4]
	mov dword ptr [rdi], 0
	ret
	.size look, .-look
	.globl f
	.type f, @function
f:
	push rbx
	mov ebx, dword ptr [rdi]
	mov eax, ebx
	test eax, eax
	je 1f
	call look
	add eax, ebx
1:
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
