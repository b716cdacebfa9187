# A callee is given the address of an object that lies elsewhere in the new frame.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 24
	mov dword ptr [rsp+8], edi
	lea rdi, [rsp+8]
	call g
	mov eax, dword ptr [rsp+8]
	add rsp, 24
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
