# A value in a register, or in a slot of the frame.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	push rbx
	sub rsp, 16
	mov dword ptr [rsp+12], edi
	call g
	add eax, dword ptr [rsp+12]
	add rsp, 16
	pop rbx
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
