# What a callee of the file takes off its stack into memory is loaded ahead of its call.
	.intel_syntax noprefix
	.text
	.type look, @function
look:
	mov eax, dword ptr [rdi+4]
	push rdi
	pop qword ptr [rdi]
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
