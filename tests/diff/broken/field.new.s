# A field of an object that a callee is given the address of is not written.
	.intel_syntax noprefix
	.text
	.globl f
	.type f, @function
f:
	sub rsp, 24
	mov dword ptr [rsp+8], edi
	lea rdi, [rsp+8]
	call g
	add rsp, 24
	ret
	.size f, .-f
	.section .note.GNU-stack,"",@progbits
