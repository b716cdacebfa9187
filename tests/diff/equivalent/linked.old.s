# A body in the place of its call brings the frame pointer of its caller back.
	.intel_syntax noprefix
	.text
	.type g, @function
g:
	push rbp
	mov rbp, rsp
	mov dword ptr [rbp-4], edi
	mov eax, dword ptr [rbp-4]
	add eax, 3
	pop rbp
	ret
	.size g, .-g
	.globl f
	.type f, @function
f:
	push rbp
	mov rbp, rsp
	sub rsp, 16
	mov dword ptr [rbp-4], esi
	call g
	add eax, dword ptr [rbp-4]
	leave
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
