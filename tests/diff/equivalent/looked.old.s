# What a callee of the file that writes its own frame alone leaves in memory is loaded ahead of its call, or behind it.
	.intel_syntax noprefix
	.text
	.type look, @function
look:
	mov dword ptr [rsp-4], 7
	mov eax, dword ptr [rdi+4]
	ret
	.size look, .-look
	.globl f
	.type f, @function
f:
	push rbx
	mov rbx, rdi
	mov eax, dword ptr [rdi]
	test eax, eax
	je 1f
	call look
	add eax, dword ptr [rbx]
1:
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
