# A callee is given the address of an object that lies elsewhere in the new frame.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 40
	mov dword ptr [rsp+16], edi
	lea rdi, [rsp+16]
	call g
	mov eax, dword ptr [rsp+16]
	add rsp, 40
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
