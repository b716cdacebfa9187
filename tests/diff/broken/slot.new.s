# Another slot of the frame is read back.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 16
	mov dword ptr [rsp+12], edi
	mov dword ptr [rsp+8], esi
	call g
	add eax, dword ptr [rsp+12]
	add eax, dword ptr [rsp+12]
	add rsp, 16
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
